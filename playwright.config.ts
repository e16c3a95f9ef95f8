import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const DEBIAN = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));
/** The runner names the browser it found or brought; else Debian's, else Playwright's own. */
const executablePath = process.env["TALKBACK_CHROMIUM"] || DEBIAN;

export default defineConfig({
  testDir: "e2e/specs",
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  // As many as there are cores: with more, the pages wait for the processor instead of for the service.
  workers: 2,
  fullyParallel: true,
  // A test that passes at the second try is a bug of product or test.
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    serviceWorkers: "block",
    // Recording takes a seventh of the time: `npx playwright test --trace=on <file>` shows what happened.
    trace: "off",
    screenshot: "only-on-failure",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
