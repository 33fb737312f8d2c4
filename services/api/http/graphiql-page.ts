// The explorer's page. Its script is text that runs in the browser; `settings` decides what the script contains.

export interface PageSettings {
  /** Without a token the API refuses every request, so the page explains how to get one. */
  readonly needsToken: boolean;
  /** The page takes the token from the link's fragment, which browsers never send. */
  readonly takesLink: boolean;
}

export const graphiqlPage = (settings: PageSettings): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="referrer" content="no-referrer" />
    <title>tracklog GraphiQL</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/graphiql/graphiql.min.css" />
    <style>body { margin: 0 } #graphiql { height: 100vh }</style>
  </head>
  <body>
    <div id="graphiql"></div>
    <script src="/graphiql/react.production.min.js"></script>
    <script src="/graphiql/react-dom.production.min.js"></script>
    <script src="/graphiql/graphiql.min.js"></script>
    <script>${graphiqlScript(settings)}</script>
  </body>
</html>
`;

/** The script stores tokens and queries only as long as the browser's tab is open: later data may differ. */
export const graphiqlScript = ({ needsToken, takesLink }: PageSettings): string => `
      ${takesLink ? TAKE_LINK : "const token = {};"}
      const isNamed = (headers) => Object.keys(headers || {}).some((name) => name.toLowerCase() === "x-token-id");
      const subscriptionUrl = location.origin.replace(/^http/, "ws") + "/graphql";
      const send = GraphiQL.createFetcher({ url: "/graphql", subscriptionUrl, headers: token, wsConnectionParams: token });
      const fetcher = (operation, options) =>
        ${needsToken} && !isNamed(token) && !isNamed(options && options.headers)
          ? { errors: [{ message: ${JSON.stringify(NO_TOKEN)} }] }
          : send(operation, options);
      const dayMs = 86400000;
      const at = (days) => new Date(Date.now() + days * dayMs).toISOString();
      const defaultQuery = ${JSON.stringify(QUERY)}.replaceAll("FROM", at(-7)).replaceAll("TO", at(1));
      const props = { fetcher, defaultQuery, storage: sessionStorage, shouldPersistHeaders: true };
      ReactDOM.createRoot(document.getElementById("graphiql")).render(React.createElement(GraphiQL, props));
    `;

/** Removes the fragment from the address bar, so that a copied address holds no token. */
const TAKE_LINK = `
      const KEY = "tracklog.token";
      const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
      if (given["x-token-id"] && given["x-token-value"]) {
        sessionStorage.setItem(KEY, JSON.stringify(given));
        history.replaceState(null, "", location.pathname);
      }
      const token = JSON.parse(sessionStorage.getItem(KEY) || "{}");
      addEventListener("hashchange", () => location.reload());`;

const NO_TOKEN =
  'Enter a token in the tab Headers below, as {"x-token-id": "...", "x-token-value": "..."}, or open the link that npm start prints.';

/** The example query: the intersections of the last week, newest first. */
const QUERY = `# Who was in which zone? Press play, or Ctrl-Enter.
# The book on the left explains the schema.
query LastWeek {
  zoneIntersections(
    first: 10
    filter: {
      time: { between: ["FROM", "TO"] }
    }
    sort: [{ field: START_TIME, direction: DESC }]
  ) {
    totalCount
    edges {
      node {
        startTime
        endTime
        zone { name }
        track { id tag dataSource { name } }
      }
    }
  }
  tracks(
    first: 3
    filter: { time: { between: ["FROM", "TO"] } }
  ) {
    totalCount
    edges { node { id tag startTime endTime } }
  }
}
`;
