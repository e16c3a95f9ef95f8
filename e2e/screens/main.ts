/** Renders every shot in both themes and three widths, some at 2,560 pixels too, from the real service into screens/. */
import { chromium, type Browser, type Page } from "@playwright/test";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../bin/lib/paths.mjs";
import { browserSources, findBrowser } from "../../bin/testing/browser.ts";
import { createPasswordReset, createToken, listMembers } from "../../contract/operations/accounts.ts";
import { listProjects } from "../../contract/operations/projects.ts";
import { call, createProject, createInviteLink, setUpOwner, signIn, createStorageState } from "../fixtures/api.ts";
import { copyApp } from "../fixtures/app-copy.ts";
import { WITH_MICROPHONE } from "../fixtures/microphone.ts";
import { timeline, waitUntilStable } from "../fixtures/pages.ts";
import { startReceiver, type Receiver } from "../fixtures/receiver.ts";
import { startService, type Service } from "../fixtures/service.ts";
import { createSampleAccess } from "./sample-access.ts";
import { createSampleApps } from "./sample-apps.ts";
import { createSampleChat } from "./sample-chat.ts";
import { createSampleFilesView } from "./sample-files-view.ts";
import { createSampleManyProjects } from "./sample-many-projects.ts";
import { createSampleFiles } from "./sample-files.ts";
import { createSamplePlaylist } from "./sample-playlists.ts";
import { createSampleStems } from "./sample-stems.ts";
import { createSampleVoiceNotes } from "./sample-voice-notes.ts";
import { createSampleWebhooks } from "./sample-webhooks.ts";
import type { Scene, Shot } from "./shot.ts";
import { README_SHOT, SHOTS } from "./shots.ts";

const FOLDER = join(ROOT, "screens");
const README_IMAGE = join(ROOT, "docs", "talkback.png");
/** Size limit, because a larger image makes the README load slowly. */
const MAX_README_BYTES = 300_000;
const THEMES = ["dark", "light"] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 900 },
  { width: 390, height: 844 },
];
const WIDE_SIZE = { width: 2560, height: 1300 };
const READY_TIMEOUT_MS = 45_000;
const STABLE_FRAMES = 20;

/** Creates the sample project and returns it with its owner. */
async function createDemo(service: Service): Promise<Pick<Scene, "ana" | "projectId">> {
  const output = await service.admin("demo");
  const password = /Her password: (\S+)/.exec(output)?.[1] ?? "";
  return { ana: await signIn(service.url, "ana@northlight.example", password), projectId: Number(/\/projects\/(\d+)\/chat/.exec(output)?.[1]) };
}

/** Fills the services: `demoService` with the sample project, `emptyService` with a project without messages; `newService` keeps no users. */
async function createScene(
  [demoService, emptyService, newService, manyService]: readonly [Service, Service, Service, Service],
  receiver: Receiver,
): Promise<Scene> {
  const { ana, projectId } = await createDemo(demoService);
  await call(ana, createToken, { body: { name: "Stem exporter", scopes: ["account:read", "chat:read"] } });
  await call(ana, createToken, {
    body: { name: "Release bot", scopes: ["chat:read", "chat:write"], expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString() },
  });
  const expiring = new Date(Date.now() + 1_000).toISOString();
  await call(ana, createToken, { body: { name: "Import of 2019", scopes: ["files:write"], expires_at: expiring } });
  const colleague = (await call(ana, listMembers, { query: {} })).data.find(({ id }) => id !== ana.id);
  if (colleague) await call(ana, createPasswordReset, { params: { account_id: colleague.id } });
  const emptyOwner = await setUpOwner(emptyService.url, emptyService.setupLink(), "Ana Kovač");
  const { id } = await createProject(emptyOwner, "Nightdrive EP");
  const smallProject = (await call(ana, listProjects)).data.find(({ name }) => name === "Podcast masters");
  return {
    ana,
    projectId,
    ...(await createSampleFiles(demoService, ana)),
    sampleChat: await createSampleChat(demoService, ana),
    stemsProjectId: await createSampleStems(demoService, ana),
    voicesProjectId: await createSampleVoiceNotes(ana),
    sampleFilesView: await createSampleFilesView(demoService, ana),
    playlistId: await createSamplePlaylist(ana, projectId),
    webhooks: await createSampleWebhooks(demoService, ana, receiver),
    access: await createSampleAccess(demoService, ana, receiver),
    apps: await createSampleApps(ana),
    manyProjects: await createSampleManyProjects(manyService),
    smallProjectId: smallProject?.id ?? projectId,
    resetLink: (await call(ana, createPasswordReset, { params: { account_id: ana.id } })).data.url,
    inviteLink: await createInviteLink(ana, "member", [projectId], "kim@northlight.example"),
    emptyOwner,
    emptyProjectId: id,
    setupLink: newService.setupLink(),
  };
}

async function waitUntilReady(page: Page, shot: Pick<Shot, "ready" | "state">): Promise<void> {
  await shot.ready(page).waitFor({ timeout: READY_TIMEOUT_MS });
  if (shot.state !== "loading" && (await timeline(page).count()) > 0)
    await page.getByRole("status", { name: "Loading messages" }).waitFor({ state: "detached" });
  await page.evaluate(async () => void (await document.fonts.ready));
  // On touch screens, react-aria hides a dialog with a focused field until the keyboard has opened, or for 600 ms.
  await page.waitForFunction(() => [...document.querySelectorAll("[data-overlay]")].every((overlay) => getComputedStyle(overlay).opacity !== "0"));
  // Long lists measure their rows, so the screenshot waits until nothing has moved for some frames.
  await waitUntilStable(page, "main *", ["top"], STABLE_FRAMES);
}

async function takeShot<S extends Pick<Scene, "ana">>(
  browser: Browser,
  scene: S,
  shot: Shot<S>,
  size: (typeof SIZES)[number],
  fileFor: (theme: string) => string,
  themes: readonly ("dark" | "light")[] = THEMES,
): Promise<void> {
  const person = shot.as(scene);
  const context = await browser.newContext({
    viewport: size,
    locale: "en-GB",
    serviceWorkers: "block",
    reducedMotion: "reduce",
    colorScheme: themes[0],
    ...(size.width < 720 ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
    ...(person ? { storageState: createStorageState(person) } : {}),
  });
  try {
    const page = await context.newPage();
    // Taking a screenshot must not mark messages and notifications as read, because that would change the next one.
    for (const url of ["**/api/v2/projects/*/read", "**/api/v2/notifications/read"]) await page.route(url, () => {});
    await shot.before?.(page, scene);
    const path = shot.path(scene);
    await page.goto(path.startsWith("http") ? path : `${(person ?? scene.ana).url}${path}`);
    if (shot.act) {
      await page.getByRole("main").getByRole("heading").or(page.getByRole("main").getByRole("textbox")).first().waitFor();
      if (person && shot.path(scene).endsWith("/chat")) await page.getByRole("textbox", { name: /^Message / }).waitFor();
      await shot.act(page, scene);
    }
    await waitUntilReady(page, shot);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await page.screenshot({ path: fileFor(theme), animations: "disabled" });
    }
  } finally {
    await context.close();
  }
}

/** Options as `npm run screens -- --help` describes them. */
function readOptions(): { only?: string | undefined; readme?: boolean | undefined } {
  try {
    return parseArgs({ options: { only: { type: "string" }, readme: { type: "boolean" } } }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\nnpm run screens -- --help lists the options.`);
    process.exit(2);
  }
}

const { only: onlyViews, readme: isReadmeOnly } = readOptions();
const selectedShots = SHOTS.filter(
  ({ view, state }) => onlyViews === undefined || onlyViews.split(",").some((prefix) => `${view}-${state}`.startsWith(prefix)),
);

async function takeAll(browser: Browser, scene: Scene): Promise<number> {
  if (onlyViews === undefined) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  let imageCount = 0;
  const failures: string[] = [];
  // Runs the widths in parallel, because most of the time is spent waiting for pages.
  await Promise.all(
    [...SIZES, WIDE_SIZE].map(async (size) => {
      for (const shot of selectedShots) {
        if (shot.desktopOnly && size.width < 720) continue;
        if (size === WIDE_SIZE ? shot.wide === undefined : shot.wide === "only") continue;
        const fileFor = (theme: string) => join(FOLDER, `${shot.view}-${shot.state}-${theme}-${size.width}.png`);
        try {
          await takeShot(browser, scene, shot, size, fileFor);
          imageCount += THEMES.length;
        } catch (error) {
          failures.push(`${shot.view}-${shot.state}-${size.width}: ${(error as Error).message.split("\n")[0]}`);
        }
      }
    }),
  );
  for (const failure of failures) console.error(`Not taken: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
  return imageCount;
}

/** Uses a service that has only the sample project, so that no failure of the other samples shows in the image. */
async function takeReadmeShot(browser: Browser, service: Service): Promise<void> {
  await takeShot(browser, await createDemo(service), README_SHOT, { width: 1440, height: 900 }, () => README_IMAGE, ["dark"]);
  const { size } = statSync(README_IMAGE);
  console.log(`${README_IMAGE}: ${Math.round(size / 1_000)} kB`);
  if (size > MAX_README_BYTES) throw new Error(`The picture is larger than ${MAX_README_BYTES / 1_000} kB: take a smaller one.`);
}

async function main(): Promise<void> {
  const started = Date.now();
  const { path: executablePath } = await findBrowser(browserSources(ROOT));
  const browser = await chromium.launch({ ...WITH_MICROPHONE.launchOptions, ...(executablePath ? { executablePath } : {}) });
  const app = await copyApp();
  const services = await Promise.all([startService(app.folder), startService(app.folder), startService(app.folder), startService(app.folder)]);
  const receiver = await startReceiver();
  try {
    if (isReadmeOnly) return await takeReadmeShot(browser, services[0]);
    const scene = await createScene(services, receiver);
    const imageCount = await takeAll(browser, scene);
    console.log(`${imageCount} pictures in screens/ (${Math.round((Date.now() - started) / 1_000)} s)`);
  } finally {
    await browser.close();
    await receiver.stop();
    await Promise.all(services.map((service) => service.end()));
    app.remove();
  }
}

await main();
