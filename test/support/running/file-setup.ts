// Vitest runs this before each test file of the projects that need stores.
import { afterAll } from "vitest";
import { endFile } from "./at-the-end.ts";

afterAll(endFile);
