import { createProject } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { expect, ignoreIfClosed, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, rail } from "../../fixtures/pages.ts";
import { uniqueName } from "../../fixtures/test.ts";

const SERVER_ERROR = {
  status: 500,
  contentType: "application/problem+json",
  json: { object: "error", status: 500, title: "Internal error", request_id: "abc123" },
};

test("an unknown URL, an inaccessible or missing project and a used setup link show an error and a link to go on", async ({
  organization: { owner },
  pair: { ana, project },
  open,
  pageErrors,
}, info) => {
  pageErrors.allow(statusError(404));
  const page = await open(ana, "/nowhere/at/all");
  const main = page.getByRole("main");
  await test.step("an unknown URL shows an error and a link to go on", async () => {
    await expect(main.getByRole("heading", { level: 1 })).toBeAttached();
    await expect(rail(page)).toBeVisible();
    await expect(main.getByRole("link")).toBeVisible();
    await expectAccessible(page);
    await main.getByRole("link").click();
    await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat`);
  });

  await test.step("an inaccessible project and a missing one look the same", async () => {
    const otherProject = await createProject(owner, uniqueName("Secret", info.testId));
    await page.goto(`${ana.url}/projects/${otherProject.id}/chat`);
    await expect(main).toContainText("project");
    await expect(main.getByRole("link")).toBeVisible();
    const text = await main.innerText();
    await expect(page.getByText(otherProject.name)).toHaveCount(0);
    await expect(composer(page)).toHaveCount(0);
    await page.goto(`${ana.url}/projects/999999/chat`);
    await expect(main).toHaveText(text.replaceAll("\n", ""), { useInnerText: false });
    await expectAccessible(page);
    await page.goto(`${ana.url}/projects/no-number/members`);
    await expect(main.getByRole("link")).toBeVisible();
  });

  await page.goto(`${ana.url}/setup`);
  await expect(page.getByRole("link", { name: "Go to sign-in" })).toBeVisible();
  await expectAccessible(page);
});

test("a view, a list or a session that fails to load shows an error in its place and a button to retry", async ({
  pair: { ana, ben, project },
  open,
  pageErrors,
  network,
}) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await test.step("when a view's chunk fails to load, the rail stays, and the page is loaded again once the service responds", async () => {
    pageErrors.allow(/dynamically imported module|ERR_INTERNET_DISCONNECTED|React Router caught/);
    const chunkPattern = /\/assets\/(settings|SettingsView|ProfilePage)[^/]*\.js/;
    await expect(composer(page)).toBeVisible();
    const interception = await network.fail(page, chunkPattern);
    const probes = await network.fail(page, "**/api/v2/service");
    await rail(page).getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { name: "Couldn't load this view" })).toBeVisible();
    await expect(rail(page)).toBeVisible();
    await expect.poll(() => probes.urls.length).toBeGreaterThan(0);
    await interception.end();
    await probes.end();
    await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  });

  await test.step("a list that fails to load is loaded by Try again", async () => {
    pageErrors.allow(statusError(500));
    const members = `**/api/v2/projects/${project.id}/members*`;
    const interception = await network.reply(page, members, SERVER_ERROR);
    await page.goto(`${ana.url}/projects/${project.id}/members`);
    const retryButton = page.getByRole("main").getByRole("button", { name: "Try again" });
    await expect(retryButton).toBeVisible();
    await interception.end();
    await retryButton.click();
    await expect(page.getByRole("main").getByText(ben.name)).toBeVisible();
  });

  await test.step("a session that fails to load shows an error page, and Reload recovers", async () => {
    pageErrors.allow(/React Router caught|ApiError|Internal error/);
    const interception = await network.reply(page, "**/api/v2/session", SERVER_ERROR);
    await page.goto(`${ana.url}/projects/${project.id}/chat`);
    await expect(page.getByRole("heading", { name: "Something went wrong on the server" })).toBeVisible();
    await interception.end();
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(composer(page)).toBeVisible();
  });
});

test("without a part of the shell the page reloads itself once, but not while somebody writes; then it offers to", async ({
  pair: { ana, project },
  open,
  pageErrors,
  network,
}) => {
  pageErrors.allow(/dynamically imported module|ERR_INTERNET_DISCONNECTED|Unable to preload CSS/);
  const page = await open(ana, "/icon.svg");
  const loadedUrls: string[] = [];
  page.on("load", () => loadedUrls.push(page.url()));
  const createButton = page.getByRole("button", { name: "Create" });
  const notice = page.getByRole("region", { name: "Some parts of this page couldn't load." });
  const partOfShell = /\/assets\/after-first-paint-.+\.js/;

  await test.step("a lasting failure reloads the page once", async () => {
    const interception = await network.fail(page, partOfShell);
    await page.goto(`${ana.url}/tasks`);
    await expect(notice).toBeVisible();
    expect(loadedUrls).toEqual([`${ana.url}/tasks`, `${ana.url}/tasks`]);
    await expectAccessible(page);
    await interception.end();
    await notice.getByRole("button", { name: "Reload" }).click();
    await expect(createButton).toBeVisible();
  });

  await test.step("while the composer has the focus, the page only offers it", async () => {
    await page.evaluate(() => sessionStorage.removeItem("talkback.reloaded-at"));
    const isWriting = Promise.withResolvers<void>();
    await page.route(partOfShell, async (route) => {
      await isWriting.promise;
      await ignoreIfClosed(route.abort("internetdisconnected"));
    });
    loadedUrls.length = 0;
    await page.goto(`${ana.url}/projects/${project.id}/chat`);
    await composer(page).fill("A thought");
    isWriting.resolve();
    await expect(notice).toBeVisible();
    await expect(composer(page)).toHaveValue("A thought");
    expect(loadedUrls).toHaveLength(1);
    await page.unroute(partOfShell);
  });
});
