/** Whatever could not be loaded while the service was out of reach is loaded without a click once it responds. */
import type { Page } from "@playwright/test";
import { createMessage, createProject, type Person } from "../../fixtures/api.ts";
import { upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/network.ts";
import { NETWORK_LOSS, statusError } from "../../fixtures/page-errors.ts";
import { composer, newTab, rail } from "../../fixtures/pages.ts";
import { writePlaylist } from "../../fixtures/playlists.ts";
import { startOrganization } from "../../fixtures/test.ts";

/** All requests for data except those without which there is no shell. */
const DATA_URL = /\/(api\/v2|v1)\/(?!session$|projects(\?|$)|groups\/ls)/;
const FAILED_LOAD = /Can't reach the server|Couldn't load/;

/** Creates a project with something in every view, and returns the paths of the views with a text that each shows. */
async function createViews(owner: Person): Promise<[string, string][]> {
  const project = await createProject(owner, "Night shift");
  const fileId = await upload(owner, project, "mix.wav", wav(3));
  await waitUntilProcessed(owner, fileId);
  const { id: playlistId } = await writePlaylist(owner, project, "Running order", [fileId]);
  await createMessage(owner, project.id, "hello from the studio");
  const base = `/projects/${project.id}`;
  return [
    [`${base}/chat`, "hello from the studio"],
    [`${base}/files`, "mix.wav"],
    [`${base}/members`, owner.name],
    [`${base}/playlists`, "Running order"],
    [`/files/${fileId}`, "mix.wav"],
    ["/notifications", "Inbox"],
    ["/tasks", "My tasks"],
    [`/playlists/${playlistId}`, "Running order"],
    ["/search?q=studio", "hello from the studio"],
    ["/settings/members", owner.name],
    ["/settings/agents", "Agents"],
    ["/settings/tokens", "API tokens"],
    ["/settings/webhooks", "Webhooks"],
  ];
}

const failure = (page: Page) => page.getByRole("main").getByText(FAILED_LOAD).first();
async function expectLoaded(page: Page, text: string): Promise<void> {
  await expect(failure(page)).toHaveCount(0);
  await expect(page.getByRole("main").getByText(text).first()).toBeVisible();
}

test("views recover from failed requests while the live channel works", async ({ pageErrors, network, open }) => {
  // Each of the views fails only after its retries.
  test.slow();
  pageErrors.allow(NETWORK_LOSS);
  const { service, owner } = await startOrganization();
  try {
    const views = await createViews(owner);
    const page = await open(owner, "/");
    await expect(rail(page)).toBeVisible();
    // Chat and files; the next test opens all views.
    for (const [path, text] of views.slice(0, 2)) {
      await test.step(path.replace(/\d+/g, "…"), async () => {
        const outage = await network.fail(page, DATA_URL);
        await page.goto(owner.url + path);
        // The live channel, which is up, starts the retries of a load once more.
        await expect(failure(page)).toBeVisible({ timeout: 40_000 });
        await outage.end();
        await expectLoaded(page, text);
      });
    }
    // The page would report the end of its service.
    await page.close();
  } finally {
    await service.end();
  }
});

test("a service that is killed and started again brings back every view that was opened meanwhile", async ({ pageErrors, open }) => {
  pageErrors.allow(NETWORK_LOSS);
  pageErrors.allow(/dynamically imported module|React Router caught|ApiError|Unable to preload CSS/);
  pageErrors.allow(statusError(503));
  const { service, owner } = await startOrganization();
  try {
    const views = await createViews(owner);
    const other = await createProject(owner, "Day shift");
    const first = await open(owner, `/projects/${other.id}/chat`);
    await expect(composer(first)).toBeVisible();
    const tabs = await Promise.all(views.map(async ([, text]) => [await newTab(first, `${owner.url}/projects/${other.id}/chat`), text] as const));
    for (const [tab] of tabs) await expect(composer(tab)).toBeVisible();
    await service.kill();
    for (const [index, [tab]] of tabs.entries()) {
      await tab.evaluate((path) => {
        history.pushState(null, "", path);
        dispatchEvent(new PopStateEvent("popstate"));
      }, views[index]![0]);
      await expect(failure(tab)).toBeVisible();
    }
    await service.start();
    for (const [tab, text] of tabs) await expectLoaded(tab, text);
  } finally {
    await service.end();
  }
});
