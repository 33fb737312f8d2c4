// The contracts of a repository against those of its last release, or of one of its commits.
import { contractsIn, contractsOfCommit, PUBLISHED, RELEASED } from "../contracts.ts";
import { compareContracts } from "./compare-contracts.ts";

export interface ContractCheck {
  readonly repository: string;
  /** A commit; undefined for the last release. */
  readonly against: string | undefined;
}

/** Throws when there is nothing to compare with. */
export function checkContracts({ repository, against }: ContractCheck) {
  const released = () => contractsIn(`${repository}/${RELEASED}`);
  const before = against === undefined ? released() : contractsOfCommit(against, repository);
  const changes = compareContracts(before, contractsIn(`${repository}/${PUBLISHED}`));
  const breaks = changes.filter(({ isBreaking }) => isBreaking);
  const notes = changes.filter(({ isBreaking }) => !isBreaking);
  return {
    isBroken: breaks.length > 0,
    lines: [
      ...notes.map(({ text }) => `note: ${text}`),
      ...breaks.map(({ text }) => `breaks: ${text}`),
      `${breaks.length} breaking changes since ${against ?? "the last release"}, ${notes.length} to note`,
    ],
  };
}
