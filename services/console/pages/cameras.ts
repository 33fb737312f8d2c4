// All cameras, each with a picture of what happens there.
import { html } from "lit-html";
import type { App, CreatePage, Page } from "../parts/app.ts";
import { Loaded } from "../parts/loaded.ts";
import { empty } from "../parts/states.ts";

const CAMERAS = /* GraphQL */ `
  query Cameras {
    dataSources(first: 1000) {
      edges { node { id name labels } }
    }
  }
`;

interface CamerasAnswer {
  readonly dataSources: {
    readonly edges: readonly {
      readonly node: { readonly id: string; readonly name: string; readonly labels: readonly string[] | null };
    }[];
  };
}

class CamerasPage implements Page {
  readonly title = "Cameras";
  readonly #cameras: Loaded<CamerasAnswer>;

  constructor(app: App) {
    this.#cameras = new Loaded(app.redraw, (signal) => app.ask<CamerasAnswer>(CAMERAS, {}, signal));
  }

  view() {
    return html`<h1>Cameras</h1>
      ${this.#cameras.show("cameras", ({ dataSources: { edges } }) =>
        edges.length === 0
          ? empty("There is no camera yet.")
          : html`<ul>
              ${edges.map(({ node }) => html`<li><a href=${`/console/cameras/${encodeURIComponent(node.id)}`}>${node.name}</a></li>`)}
            </ul>`,
      )}`;
  }

  stop() {
    this.#cameras.stop();
  }
}

export const createCamerasPage: CreatePage = (app) => new CamerasPage(app);
