import { defineConfig } from "@playwright/test";
import { ROOT } from "./bin/lib/paths.mjs";
import { installedBrowserPath } from "./bin/testing/browser.ts";

// `npm test` sets TALKBACK_CHROMIUM to a browser that starts; other commands take the first installed one.
const executablePath = installedBrowserPath(ROOT);
/** Factor on the timeouts of tests; `npm run test:soak` raises it for rounds under load. */
export const timeoutFactor = Number(process.env["TALKBACK_TEST_TIMEOUT_FACTOR"] ?? 1);
/**
 * The time zone of the pages. Tests compare dates with today, so a run that may last beyond midnight in Berlin uses New York. The workers inherit the
 * choice of the first process.
 */
export const timeZone = (process.env["TALKBACK_TEST_TIME_ZONE"] ??= new Date().getUTCHours() < 20 ? "Europe/Berlin" : "America/New_York");

// These tests need a browser with a microphone and so a worker of their own; they run first, while the other worker runs the other tests.
const VOICE = "**/chat/voice.spec.ts";

/** `npm run faults` also runs the long forms, which no other command does. */
const testMatch = process.env["TALKBACK_FAULT_ROUNDS"] ? "**/*.{spec,faults}.ts" : "**/*.spec.ts";

export default defineConfig({
  testDir: "e2e/specs",
  projects: [{ testMatch: VOICE }, { testMatch, testIgnore: VOICE }],
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  // One per core of a machine with two cores; with more workers, pages wait for the CPU instead of for the service.
  workers: 2,
  fullyParallel: true,
  // A test that passes only on retry shows a bug of the product or of the test, but must not block unrelated work: it is listed as flaky.
  retries: 1,
  forbidOnly: true,
  timeout: 90_000 * timeoutFactor,
  expect: { timeout: 20_000 * timeoutFactor },
  reporter: [["list"]],
  use: {
    serviceWorkers: "block",
    // Recording traces takes a seventh of the run time; `npx playwright test --trace=on <file>` records those of one file.
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
