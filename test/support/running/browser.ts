import chromium from "@sparticuz/chromium";
import { type Browser, chromium as engine } from "playwright-core";

/** It renders by software, and is part of an npm package, so that nothing has to be installed. */
export const launchBrowser = async (): Promise<Browser> =>
  engine.launch({
    executablePath: await chromium.executablePath(),
    // In a single process the browser ends with its first context.
    args: chromium.args.filter((flag) => flag !== "--single-process"),
    headless: true,
  });
