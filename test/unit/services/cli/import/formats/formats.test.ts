import { describe, expect, test } from "vitest";
import { mot } from "../../../../../../services/cli/import/formats/mot.ts";
import { sdd } from "../../../../../../services/cli/import/formats/sdd.ts";

const motLine = (line: string) => mot.createParser({ tag: "walker" })(line);
const sddLine = (line: string) => sdd.createParser({ tag: "unused" })(line);

describe("MOT ground truth", () => {
  test("a line of nine columns becomes a box with its class as tag", () => {
    expect(motLine("3,7,10,20.5,30,40,1,2,0.5")).toEqual({
      ok: true,
      row: { frame: 3, fileId: 7, left: 10, top: 20.5, right: 40, bottom: 60.5, tag: "person_on_vehicle" },
    });
  });

  test.each([
    [1, "pedestrian"],
    [6, "non_motorised_vehicle"],
    [7, "static_person"],
    [10, "occluder_on_ground"],
    [12, "reflection"],
  ])("class %i is tagged %s", (number, tag) => {
    expect(motLine(`1,1,0,0,5,5,1,${number},1`)).toMatchObject({ ok: true, row: { tag } });
  });

  test("a row with flag 0 is left out, of whatever class", () => {
    expect(motLine("1,1,0,0,5,5,0,8,1")).toEqual({ ok: true, row: undefined });
    expect(motLine("1,1,0,0,5,5,0,13,1")).toEqual({ ok: true, row: undefined });
  });

  test.each([
    ["0,1,0,0,5,5,1,1,1", 1, "frame"],
    ["1.5,1,0,0,5,5,1,1,1", 1, "frame"],
    ["1,-1,0,0,5,5,1,1,1", 2, "id"],
    ["1,1,abc,0,5,5,1,1,1", 3, "left"],
    ["1,1,0,NaN,5,5,1,1,1", 4, "top"],
    ["1,1,0,0,-5,5,1,1,1", 5, "width"],
    ["1,1,0,0,5,,1,1,1", 6, "height is empty"],
    ["1,1,0,0,5,5,yes,1,1", 7, "flag"],
    ["1,1,0,0,5,5,1,13,1", 8, "class"],
    ["1,1,0,0,5,5,1,1,0x1", 9, "visibility"],
    ["1,1,0,0,5,5,1,1", 9, "found 8 columns"],
    ["1,1,0,0,5,1e999,1,1,1", 6, "height"],
  ])("%s is at fault in column %i", (line, column, reason) => {
    expect(motLine(line)).toEqual({ ok: false, column, reason: expect.stringContaining(reason) });
  });
});

describe("MOT tracker output", () => {
  test("a line of ten columns gets the tag asked for, whatever its confidence", () => {
    expect(motLine("1,0,-5.5,0,10,20,0,-1,-1,-1\r")).toEqual({
      ok: true,
      row: { frame: 1, fileId: 0, left: -5.5, top: 0, right: 4.5, bottom: 20, tag: "walker" },
    });
  });

  test("a later line that lost a column is at fault, not taken for ground truth", () => {
    const parse = mot.createParser({ tag: "walker" });
    parse("1,1,0,0,5,5,-1,-1,-1,-1");

    expect(parse("2,1,0,0,5,5,-1,1,1")).toMatchObject({ ok: false, column: 10 });
    expect(parse("2,1,0,0,5,5,-1,-1,-1,-1,7")).toMatchObject({ ok: false, column: 11 });
  });
});

describe("Stanford Drone annotations", () => {
  test("a generated row is kept, its label in lower case", () => {
    expect(sddLine('4 10 20 30 40 0 0 1 1 "Biker"')).toEqual({
      ok: true,
      row: { frame: 0, fileId: 4, left: 10, top: 20, right: 30, bottom: 40, tag: "biker" },
    });
  });

  test("a lost row is left out", () => {
    expect(sddLine('4 10 20 30 40 7 1 0 1 "Biker"')).toEqual({ ok: true, row: undefined });
  });

  test("a label may hold spaces", () => {
    expect(sddLine('4 10 20 30 40 7 0 0 0 "Golf Cart"')).toMatchObject({ ok: true, row: { tag: "golf cart" } });
  });

  test.each([
    ['x 10 20 30 40 7 0 0 0 "Bus"', 1, "id"],
    ['4 10 20 9 40 7 0 0 0 "Bus"', 4, "xmax is less than xmin"],
    ['4 10 20 30 19 7 0 0 0 "Bus"', 5, "ymax is less than ymin"],
    ['4 10 20 30 40 -1 0 0 0 "Bus"', 6, "frame"],
    ['4 10 20 30 40 7 2 0 0 "Bus"', 7, "lost"],
    ['4 10 20 30 40 7 0 0 0 ""', 10, "label"],
    ['4 10 20 30 40 7 0 0 0 "Bus', 10, "label"],
    ["4 10 20 30 40 7 0 0 0", 10, "found 9 columns"],
  ])("%s is at fault in column %i", (line, column, reason) => {
    expect(sddLine(line)).toEqual({ ok: false, column, reason: expect.stringContaining(reason) });
  });
});
