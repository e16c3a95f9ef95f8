import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { ROOT } from "./bin/lib/paths.mjs";
import { installedPaths } from "./bin/testing/browser.ts";
import { packagedBrowserPath } from "./bin/testing/packaged-browser.ts";

/** `npm test` names the browser that it found or installed; other commands use the first one that is there, else Playwright's own. */
const there = () => [...installedPaths(process.platform, process.env), packagedBrowserPath(ROOT)].find((path) => existsSync(path));
const executablePath = process.env["TALKBACK_CHROMIUM"] ?? there();
/** `npm run test:soak` runs beside a load, where everything takes longer. */
export const patience = Number(process.env["TALKBACK_TEST_PATIENCE"] ?? 1);
/**
 * The time zone of the pages. Tests compare dates with today, so a run that may last beyond midnight in Berlin uses New York. The workers inherit the
 * choice of the first process.
 */
export const timeZone = (process.env["TALKBACK_TEST_TIME_ZONE"] ??= new Date().getUTCHours() < 20 ? "Europe/Berlin" : "America/New_York");

// These tests need a browser with a microphone, and so workers of their own: first, while the other tests keep the other worker busy.
const VOICE = "**/chat/voice.spec.ts";

export default defineConfig({
  testDir: "e2e/specs",
  projects: [{ testMatch: VOICE }, { testIgnore: VOICE }],
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  // As many as there are cores: with more, the pages wait for the processor instead of for the service.
  workers: 2,
  fullyParallel: true,
  // A test that passes at the second try is a bug of the product or of the test, but no reason to refuse work on something else: it is listed as flaky.
  retries: 1,
  forbidOnly: true,
  timeout: 90_000 * patience,
  expect: { timeout: 20_000 * patience },
  reporter: [["list"]],
  use: {
    serviceWorkers: "block",
    // Recording takes a seventh of the time: `npx playwright test --trace=on <file>` shows what happened.
    trace: "off",
    screenshot: "only-on-failure",
    locale: "en-GB",
    timezoneId: timeZone,
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
        "--disable-gpu-compositing",
      ],
    },
  },
});
