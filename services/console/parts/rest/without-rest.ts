import { html, type TemplateResult } from "lit-html";
import { empty } from "../states.ts";

/** @param pages what the user came for, such as "Webhooks". */
export const withoutRest = (pages: string): TemplateResult =>
  empty(
    `${pages} need the REST interface, which this console cannot reach.`,
    html`<p class="hint">
      An operator sets <code>API_CONSOLE_REST_URL</code> of the API to the URL at which browsers reach the REST interface,
      and lists the origin of this page, <code>${location.origin}</code>, in <code>STATE_API_ORIGINS</code> of the REST
      interface. <code>npm start</code> does both.
    </p>`,
  );
