/** Starts the browser of the tests, which is installed first where there is none. */
import { type Browser, chromium } from "@playwright/test";
import { ROOT } from "../../bin/lib/paths.mjs";
import { browserSources, findBrowser } from "../../bin/testing/browser.ts";
import config from "../../playwright.config.ts";

let finding: Promise<string> | undefined;

/** `args`: further arguments of the browser. The run itself ends the browser on a signal. */
export async function launchBrowser(log: (step: string) => void, args: readonly string[] = []): Promise<Browser> {
  finding ??= findBrowser(browserSources(ROOT), log).then(({ path }) => path);
  const path = await finding;
  const options = config.use?.launchOptions;
  return chromium.launch({
    ...options,
    ...(path === "" ? {} : { executablePath: path }),
    args: [...(options?.args ?? []), ...args],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
