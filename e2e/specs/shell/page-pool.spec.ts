/** Tests share browser contexts, so nothing that one leaves behind may reach the next. */
import type { Page } from "@playwright/test";
import { runBeforeClient } from "../../fixtures/before-client.ts";
import { createPagePool } from "../../fixtures/page-pool.ts";
import { expect, test } from "../../fixtures/test.ts";

const readPageState = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    online: navigator.onLine,
    history: history.length,
    width: innerWidth,
    theme: matchMedia("(prefers-color-scheme: dark)").matches,
  }));

test("a page that is used again has neither storage nor routes nor history of the test before", async ({ browser, pair: { ana, project } }) => {
  const pool = createPagePool(browser);
  const path = `${ana.url}/projects/${project.id}/chat`;
  const first = await pool.acquire(ana, path, { viewport: { width: 900, height: 700 }, colorScheme: "dark" });
  // Another host name of the same service is another origin.
  const otherOriginUrl = `${ana.url.replace("127.0.0.1", "localhost")}/icon.svg`;
  await first.goto(otherOriginUrl);
  await first.evaluate(() => localStorage.setItem("left", "behind"));
  await first.goto(path);
  await expect(first.getByRole("textbox", { name: /^Message / })).toBeVisible();
  await first.evaluate(() => {
    localStorage.setItem("left", "behind");
    sessionStorage.setItem("left", "behind");
    return new Promise((resolve) => (indexedDB.open("left-behind").onsuccess = resolve));
  });
  const requestedUrls: string[] = [];
  first.on("request", (request) => requestedUrls.push(request.url()));
  await first.route("**/*", (route) => route.abort());
  await first.context().setOffline(true);
  await pool.releaseAll(true);

  const reusedPage = await pool.acquire(null, path, {});
  expect(reusedPage).toBe(first);
  expect(await readPageState(reusedPage)).toEqual({ local: [], session: [], databases: [], online: true, history: 1, width: 1280, theme: false });
  expect(await reusedPage.context().cookies()).toEqual([]);
  requestedUrls.length = 0;
  await reusedPage.goto(path);
  await expect(reusedPage).toHaveURL(/\/sign-in/);
  expect(requestedUrls).toEqual([]);
  await reusedPage.goto(otherOriginUrl);
  expect(await reusedPage.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await pool.releaseAll(true);
  await pool.close();
});

test("a page with a clock, a script or a tab beside it is not used again, nor is one of a test that failed", async ({ browser, pair: { ana } }) => {
  const pool = createPagePool(browser);
  const acquire = () => pool.acquire(ana, ana.url, {});
  const clock = await acquire();
  await clock.clock.install();
  await pool.releaseAll(true);
  const script = await acquire();
  expect(script).not.toBe(clock);
  await script.addInitScript(() => {});
  await pool.releaseAll(true);
  const tabs = await acquire();
  expect(tabs).not.toBe(script);
  await tabs.context().newPage();
  await pool.releaseAll(true);
  const failed = await acquire();
  expect(failed).not.toBe(tabs);
  await pool.releaseAll(false);
  const next = await acquire();
  expect(next).not.toBe(failed);
  expect([clock, script, tabs, failed].every((page) => page.isClosed())).toBe(true);
  await pool.releaseAll(true);
  await pool.close();
});

test("a script that ran before the client does not run in the next test", async ({ browser, pair: { ana, project } }) => {
  const pool = createPagePool(browser);
  const path = `${ana.url}/projects/${project.id}/chat`;
  const marked = () => "marked" in window;
  const first = await pool.acquire(ana, path, {});
  await runBeforeClient(first, () => Object.assign(window, { marked: true }), null);
  await first.goto(path);
  expect(await first.evaluate(marked)).toBe(true);
  await pool.releaseAll(true);
  const reusedPage = await pool.acquire(ana, path, {});
  expect(reusedPage).toBe(first);
  for (let load = 0; load < 3; load += 1) {
    await reusedPage.goto(path);
    expect(await reusedPage.evaluate(marked)).toBe(false);
  }
  await pool.releaseAll(true);
  await pool.close();
});
