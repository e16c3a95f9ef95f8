import { createMessage, createProject } from "../../fixtures/api.ts";
import { expect, test } from "../../fixtures/network.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { uniqueName } from "../../fixtures/test.ts";

const SEARCH = /\/api\/v2\/search\?/;

test("a file of another project is found by half its name from every page, with messages and people, and what is in the open project first", async ({
  organization,
  pair: { ben, project },
  open,
}, info) => {
  const word = `nightdrive${project.id}`;
  const other = await createProject(organization.owner, uniqueName("Other", info.testId));
  const [here, there] = [
    await createProcessedFile(organization, ben, project, `${word} mix.wav`),
    await createProcessedFile(organization, organization.owner, other, `${word} master.wav`),
  ];
  await createMessage(ben, project.id, `Is ${word} loud enough?`);
  const { owner } = organization;
  const options = (page: Awaited<ReturnType<typeof open>>) => page.getByRole("listbox", { name: "Search" }).getByRole("option");
  const pages = ["/settings/profile", "/tasks", `/files/${here}`, "/settings/webhooks", "/notifications", "/playlists", `/projects/${project.id}/members`];
  const page = await open(owner, "/settings/profile");
  for (const path of pages) {
    await test.step(path, async () => {
      await page.goto(`${owner.url}${path}`);
      await expect(page.getByRole("heading").first()).toBeVisible();
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type(word.slice(0, -1));
      await expect(options(page).filter({ hasText: `${word} mix.wav` })).toBeVisible();
      await expect(options(page).filter({ hasText: `${word} master.wav` })).toBeVisible();
      await expect(options(page).filter({ hasText: `Is ${word} loud enough?` })).toBeVisible();
      if (path.includes(`/${here}`) || path.includes("/projects/")) await expect(options(page).filter({ hasText: ".wav" }).first()).toContainText("mix.wav");
      await page.keyboard.press("Escape");
    });
  }
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type(ben.name.slice(0, -1));
  await expect(options(page).filter({ hasText: ben.name }).first()).toBeVisible();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(`${word} mas`);
  await options(page).filter({ hasText: "master.wav" }).click();
  await expect(page).toHaveURL(new RegExp(`/files/${there}(\\?|$)`));
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type(word);
  await options(page).filter({ hasText: "Show all results for" }).click();
  await expect(page).toHaveURL(`${owner.url}/search?q=${word}`);
  await expect(page.getByRole("main").getByText(`${word} master.wav`)).toBeVisible();
});

test("the palette says that nothing was found only once the service has found nothing", async ({ pair: { ana, project }, open, network, pageErrors }) => {
  pageErrors.allow(/status of 500/);
  const page = await open(ana, `/projects/${project.id}/members`);
  const status = page.getByRole("dialog", { name: "Search" }).getByRole("status");
  const word = `zzz${project.id}`;
  await expect(page.getByRole("heading", { name: project.name })).toBeVisible();
  const pause = await network.pause(page, SEARCH);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type(word);
  await expect(status).toHaveText("Searching…");
  await expect.poll(() => pause.urls.length).toBe(1);
  await pause.end();
  await expect(status).toHaveText(`No results for “${word}”`);
  const replacement = { status: 500, contentType: "application/problem+json", json: { object: "error", status: 500, title: "Internal error" } };
  await page.route(SEARCH, (route) => route.fulfill(replacement));
  await page.keyboard.type("y");
  await expect(status).toHaveText("Search failed. Results from other projects are missing.");
  await page.unroute(SEARCH);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(status).toHaveText(`No results for “${word}y”`);
});
