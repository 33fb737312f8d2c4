// Names of the objects among which a user chooses: cameras, their zones, and others.
import type { Requests } from "./requests.ts";

export interface ObjectChoice {
  /** Filters compare the id, and of a tag the name. */
  readonly value: string;
  readonly name: string;
  /** Heading in a list, for example the camera of a zone. */
  readonly group?: string;
}

export type Choices = Readonly<
  Record<"cameras" | "zones" | "geofences" | "tags" | "sites" | "producers", readonly ObjectChoice[]>
>;

export const NO_CHOICES: Choices = { cameras: [], zones: [], geofences: [], tags: [], sites: [], producers: [] };

const CHOICES = /* GraphQL */ `
  query Choices {
    dataSources(first: 1000) { edges { node { id name zones { id name } } } }
    geofences(first: 1000) { edges { node { id name } } }
    tags(first: 1000) { edges { node { id name } } }
    sites(first: 1000) { edges { node { id name } } }
    chronicleProducers(first: 1000) { edges { node { id name } } }
  }
`;

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Nodes<Node = Named> {
  readonly edges: readonly { readonly node: Node }[];
}

interface ChoicesAnswer {
  readonly dataSources: Nodes<Named & { readonly zones: readonly Named[] }>;
  readonly geofences: Nodes;
  readonly tags: Nodes;
  readonly sites: Nodes;
  readonly chronicleProducers: Nodes;
}

export async function askChoices(ask: Requests["ask"], signal: AbortSignal): Promise<Choices> {
  const answer = await ask<ChoicesAnswer>(CHOICES, {}, signal);
  const cameras = answer.dataSources.edges.map(({ node }) => node);
  return {
    cameras: cameras.map(choiceOf),
    zones: cameras.flatMap(({ name: group, zones }) => zones.map((zone) => ({ ...choiceOf(zone), group }))),
    geofences: choicesOf(answer.geofences),
    tags: answer.tags.edges.map(({ node: { name } }) => ({ value: name, name })),
    sites: choicesOf(answer.sites),
    producers: choicesOf(answer.chronicleProducers),
  };
}

const choicesOf = ({ edges }: Nodes): readonly ObjectChoice[] => edges.map(({ node }) => choiceOf(node));

const choiceOf = ({ id: value, name }: Named): ObjectChoice => ({ value, name });
