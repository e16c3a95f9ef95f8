/** Renders every shot in both themes and three widths from the real service into screens/. */
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "@playwright/test";
import { createToken } from "../../contract/operations/accounts.ts";
import { listProjects } from "../../contract/operations/projects.ts";
import { ROOT } from "../../bin/lib/paths.mjs";
import { call, createProject, inviteLink, setUpOwner, signIn, stateOf } from "../fixtures/api.ts";
import { copyApp } from "../fixtures/app-copy.ts";
import { WITH_MICROPHONE } from "../fixtures/microphone.ts";
import { timeline } from "../fixtures/pages.ts";
import { startReceiver, type Receiver } from "../fixtures/receiver.ts";
import { startService, type Service } from "../fixtures/service.ts";
import { makeFiles } from "./files.ts";
import { makeCollection } from "./collection.ts";
import type { Scene, Shot } from "./shot.ts";
import { README_SHOT, SHOTS } from "./shots.ts";
import { makeTalk } from "./talk.ts";
import { makeVoices } from "./voices.ts";
import { makeWebhooks } from "./webhooks.ts";

const FOLDER = join(ROOT, "screens");
const README_PICTURE = join(ROOT, "docs", "talkback.png");
/** Larger pictures slow down who reads the README. */
const README_BYTES = 300_000;
const THEMES = ["dark", "light"] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 900 },
  { width: 390, height: 844 },
];
const PATIENCE_MS = 45_000;
const CALM_FRAMES = 20;

/** The sample project, and its owner. */
async function makeDemo(service: Service): Promise<Pick<Scene, "ana" | "projectId">> {
  const told = await service.admin("demo");
  const password = /Her password: (\S+)/.exec(told)?.[1] ?? "";
  return { ana: await signIn(service.url, "ana@northlight.example", password), projectId: Number(/\/projects\/(\d+)\/chat/.exec(told)?.[1]) };
}

/** `full` has the sample project, `bare` one without a message, `fresh` nobody at all. */
async function makeScene([full, bare, fresh]: readonly [Service, Service, Service], receiver: Receiver): Promise<Scene> {
  const { ana, projectId } = await makeDemo(full);
  await call(ana, createToken, { body: { name: "Stem exporter", scopes: ["account:read", "chat:read"] } });
  await call(ana, createToken, {
    body: { name: "Release bot", scopes: ["chat:read", "chat:write"], expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString() },
  });
  const newcomer = await setUpOwner(bare.url, bare.setupLink(), "Ana Kovač");
  const { id } = await createProject(newcomer, "Nightdrive EP");
  const small = (await call(ana, listProjects)).data.find(({ name }) => name === "Podcast masters");
  return {
    ana,
    projectId,
    ...(await makeFiles(full, ana)),
    talk: await makeTalk(full, ana),
    voicesProjectId: await makeVoices(ana),
    collection: await makeCollection(full, ana),
    webhooks: await makeWebhooks(full, ana, receiver),
    smallProjectId: small?.id ?? projectId,
    inviteLink: await inviteLink(ana, "member", [projectId], "kim@northlight.example"),
    newcomer,
    emptyProjectId: id,
    setupLink: fresh.setupLink(),
  };
}

async function settled(page: Page, shot: Pick<Shot, "ready" | "state">): Promise<void> {
  await shot.ready(page).waitFor({ timeout: PATIENCE_MS });
  if (shot.state !== "loading" && (await timeline(page).count()) > 0)
    await page.getByRole("status", { name: "Loading messages" }).waitFor({ state: "detached" });
  await page.evaluate(async (calm) => {
    await document.fonts.ready;
    // Long lists measure what they draw: the picture waits until nothing has moved for some frames.
    const shape = () => [...document.querySelectorAll("main *")].map((element) => element.getBoundingClientRect().top).join();
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let same = 0, last = shape(); same < calm;) {
      await frame();
      const now = shape();
      same = now === last ? same + 1 : 0;
      last = now;
    }
  }, CALM_FRAMES);
}

async function take<S extends Pick<Scene, "ana">>(
  browser: Browser,
  scene: S,
  shot: Shot<S>,
  size: (typeof SIZES)[number],
  name: (theme: string) => string,
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
    ...(person ? { storageState: stateOf(person) } : {}),
  });
  try {
    const page = await context.newPage();
    // Nothing counts as read by being photographed, or each picture would change the next.
    await page.route("**/api/v2/projects/*/read", () => {});
    await shot.before?.(page);
    const path = shot.path(scene);
    await page.goto(path.startsWith("http") ? path : `${(person ?? scene.ana).url}${path}`);
    if (shot.act) {
      await page.getByRole("main").getByRole("heading").or(page.getByRole("main").getByRole("textbox")).first().waitFor();
      if (shot.path(scene).endsWith("/chat")) await page.getByRole("textbox", { name: /^Message / }).waitFor();
      await shot.act(page, scene);
    }
    await settled(page, shot);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await page.screenshot({ path: name(theme), animations: "disabled" });
    }
  } finally {
    await context.close();
  }
}

/** `--only=chat,file` takes the shots alone whose view begins like one of these, and leaves other pictures where they are. */
const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length);
const wanted = SHOTS.filter(({ view }) => only === undefined || only.split(",").some((beginning) => view.startsWith(beginning)));

async function all(browser: Browser, scene: Scene): Promise<number> {
  if (only === undefined) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  let taken = 0;
  const missed: string[] = [];
  // The widths beside each other: most of the time is waiting for pages.
  await Promise.all(
    SIZES.map(async (size) => {
      for (const shot of wanted) {
        if (shot.byMouse && size.width < 720) continue;
        const name = (theme: string) => join(FOLDER, `${shot.view}-${shot.state}-${theme}-${size.width}.png`);
        try {
          await take(browser, scene, shot, size, name);
          taken += THEMES.length;
        } catch (error) {
          missed.push(`${shot.view}-${shot.state}-${size.width}: ${(error as Error).message.split("\n")[0]}`);
        }
      }
    }),
  );
  for (const one of missed) console.error(`Not taken: ${one}`);
  if (missed.length > 0) process.exitCode = 1;
  return taken;
}

/** The sample alone: nothing that goes wrong elsewhere stands above it. */
async function readme(browser: Browser, service: Service): Promise<void> {
  await take(browser, await makeDemo(service), README_SHOT, { width: 1440, height: 900 }, () => README_PICTURE, ["dark"]);
  const { size } = statSync(README_PICTURE);
  console.log(`${README_PICTURE}: ${Math.round(size / 1_000)} kB`);
  if (size > README_BYTES) throw new Error(`The picture is larger than ${README_BYTES / 1_000} kB: take a smaller one.`);
}

async function main(): Promise<void> {
  const started = Date.now();
  const app = await copyApp();
  const services = await Promise.all([startService(app.folder), startService(app.folder), startService(app.folder)]);
  const receiver = await startReceiver();
  const browser = await chromium.launch(WITH_MICROPHONE.launchOptions);
  try {
    if (process.argv.includes("--readme")) return await readme(browser, services[0]);
    const scene = await makeScene(services, receiver);
    const taken = await all(browser, scene);
    console.log(`${taken} pictures in screens/ (${Math.round((Date.now() - started) / 1_000)} s)`);
  } finally {
    await browser.close();
    await receiver.stop();
    await Promise.all(services.map((service) => service.end()));
    app.remove();
  }
}

await main();
