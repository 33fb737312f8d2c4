/** The explorer for development; enter the two token headers in its headers tab. */
export const graphiql = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>tracklog GraphiQL</title>
    <link rel="stylesheet" href="https://unpkg.com/graphiql@3.8.3/graphiql.min.css" />
    <style>body { margin: 0 } #graphiql { height: 100vh }</style>
  </head>
  <body>
    <div id="graphiql"></div>
    <script crossorigin src="https://unpkg.com/react@18.3.1/umd/react.production.min.js"></script>
    <script crossorigin src="https://unpkg.com/react-dom@18.3.1/umd/react-dom.production.min.js"></script>
    <script crossorigin src="https://unpkg.com/graphiql@3.8.3/graphiql.min.js"></script>
    <script>
      const fetcher = GraphiQL.createFetcher({ url: "/graphql" });
      const defaultHeaders = JSON.stringify({ "x-token-id": "", "x-token-value": "" }, null, 2);
      const explorer = React.createElement(GraphiQL, { fetcher, defaultHeaders, shouldPersistHeaders: true });
      ReactDOM.createRoot(document.getElementById("graphiql")).render(explorer);
    </script>
  </body>
</html>
`;
