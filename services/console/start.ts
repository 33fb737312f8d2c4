// The entry of the console: it takes the token, and shows the console or the login.
import { render } from "lit-html";
import { Console } from "./console.ts";
import { createRequests } from "./data/requests.ts";
import { forgetToken, keepToken, type Token, takeToken } from "./data/session.ts";
import { loginView } from "./pages/login.ts";
import { CONSOLE } from "./parts/frame.ts";

const root = document.querySelector<HTMLElement>("#console") ?? document.body;
const restUrl = document.querySelector<HTMLMetaElement>("meta[name=tracklog-rest]")?.content ?? "";

// A link with another token, opened in this tab, changes only the fragment.
addEventListener("hashchange", () => {
  if (location.hash.includes("x-token-id")) location.reload();
});

// A browser that goes back may show the page as it was before the user logged out.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

const token = takeToken();
root.replaceChildren();
if (token === undefined) showLogin(false);
else new Console(root, createRequests(token, restUrl), token, leave).open();

function showLogin(wasRefused: boolean): void {
  document.title = "tracklog";
  const enter = (given: Token) => {
    keepToken(given);
    location.reload();
  };
  render(loginView(wasRefused, enter), root);
}

function leave(wasRefused: boolean): void {
  forgetToken();
  if (wasRefused) showLogin(true);
  else location.assign(CONSOLE);
}
