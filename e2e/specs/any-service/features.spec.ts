/** Uses our service as if it lacked one feature after the other: what belongs to the feature is absent or says why, and is never requested. */
import type { Page } from "@playwright/test";
import { type Feature, FEATURES, type Operation } from "../../../contract/define-operation.ts";
import { featureOf, hasDocumentedPath } from "../../../contract/offered-operations.ts";
import { operations } from "../../../contract/operations/all.ts";
import { createMessage, createProject, type Person } from "../../fixtures/api.ts";
import { createComment } from "../../fixtures/comments.ts";
import { NAMES, PAGES, PARTS, type Place } from "../../fixtures/feature-parts.ts";
import { sendFiles, setStatus, uploadVersion, waitUntilProcessed } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { createFolder } from "../../fixtures/files-view.ts";
import { createReleaseTemplate, fieldOf, setMetadata } from "../../fixtures/metadata.ts";
import { expect, type Network, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { composer, openMenu, timeline } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { writeTask } from "../../fixtures/tasks.ts";

/** Emails are a feature of services with an SMTP server; nothing is sent to this one. */
const organization = shareOrganization({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "talkback@northlight.test" });

interface Sample {
  owner: Person;
  projectId: number;
  folderId: number;
  artistId: number;
}
let sample: Sample;

test.beforeAll(async () => {
  const { owner } = organization();
  const project = await createProject(owner, "Nightdrive");
  const fileId = await createProcessedFile(organization(), owner, project, "mix.wav");
  await uploadVersion(owner, fileId, wav(2));
  await waitUntilProcessed(owner, fileId);
  await setStatus(owner, project, fileId, "In review");
  await sendFiles(owner, project, [fileId], "For you");
  await createMessage(owner, project.id, "Last one");
  await createComment(owner, fileId, "Louder", { startSeconds: 1 });
  await writeTask(owner, fileId, "Master it");
  const template = await createReleaseTemplate(owner, project.team_id);
  await setMetadata(owner, fileId, { [fieldOf(template, "Artist").id]: "Lina" });
  const folderId = await createFolder(owner, project.root_folder_id, "Stems");
  sample = { owner, projectId: project.id, folderId, artistId: fieldOf(template, "Artist").id };
});

/** What the client requests at these places without being asked. */
const REQUESTED_FEATURES: readonly Feature[] = [
  "projects",
  "members",
  "messages",
  "comments",
  "statuses",
  "metadata",
  "tasks",
  "notifications",
  "push",
  "favorites",
  "demo",
  "live",
];

/** A view of the client, and what shows that it has loaded. */
async function* visitPlaces(page: Page, { owner, projectId }: Sample): AsyncGenerator<Place> {
  // Leads to the start page, because the organization has a project.
  await page.goto(`${owner.url}/welcome`);
  await expect(timeline(page).getByText("Last one")).toBeVisible();
  yield "welcome";
  await page.goto(`${owner.url}/projects/${projectId}/chat`);
  await expect(timeline(page).getByText("Last one")).toBeVisible();
  yield "chat";
  await openMenu(page, "Last one");
  yield "menu";
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "New project" })).toBeVisible();
  yield "create";
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("option", { name: /open settings/i })).toBeVisible();
  yield "palette";
  await page.keyboard.press("Escape");
  await timeline(page).getByRole("link", { name: "mix.wav", exact: true }).click();
  await expect(page.getByRole("heading", { name: "About this file" })).toBeVisible();
  yield "file";
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  yield "settings";
  await page.goto(`${owner.url}/settings/notifications`);
  await expect(page.getByRole("heading", { name: "Quiet times" }).or(page.getByText("Not available"))).toBeVisible();
  yield "notifications";
  await page.goto(`${owner.url}/projects/${projectId}/files`);
  const row = page.getByRole("row", { name: /mix\.wav/ });
  await expect(row.or(page.getByText("Not available"))).toBeVisible();
  yield "files";
  if (!(await row.isVisible())) return;
  await row.click({ button: "right" });
  await expect(page.getByRole("menuitem", { name: "Copy link" })).toBeVisible();
  yield "file-menu";
  await page.keyboard.press("Escape");
}

/** Removes features from the description of the service. */
const withoutFeatures =
  (missing: readonly Feature[]) =>
  ({ data, ...rest }: Record<string, unknown>) => {
    const description = data as { features: Feature[] };
    return { ...rest, data: { ...description, features: description.features.filter((feature) => !missing.includes(feature)) } };
  };

/** Returns whether a place names a missing feature, also if nothing else there depends on it. */
const isReasonShown = (place: Place, feature: Feature): boolean =>
  place === "settings" || (place === "file" && (feature === "comments" || feature === "tasks"));

/** Lets the service list its features without these. */
async function openWithout(missing: readonly Feature[], open: (person: Person, path: string) => Promise<Page>, network: Network): Promise<Page> {
  const page = await open(sample.owner, "/icon.svg");
  await network.patchResponse(page, "**/api/v2/service", withoutFeatures(missing));
  return page;
}

/** Records the requests for operations of a feature. The bytes of a file are at a URL that its record names, so any service may have them. */
function recordRequests(page: Page, feature: Feature): string[] {
  const requests: string[] = [];
  const patterns = Object.values<Operation>(operations)
    .filter((operation) => featureOf(operation) === feature && !hasDocumentedPath(operation) && operation.bytes !== "media")
    .map(({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`));
  expect(patterns.length).toBeGreaterThan(0);
  page.on("request", (request) => {
    const call = `${request.method()} ${new URL(request.url()).pathname}`;
    if (patterns.some((pattern) => pattern.test(call))) requests.push(call);
  });
  if (feature === "live") page.on("websocket", (socket) => requests.push(socket.url()));
  return requests;
}

test("with all features, everything that the tests below find missing is there, and is requested", async ({ open, network }) => {
  const page = await openWithout([], open, network);
  const requests = REQUESTED_FEATURES.map((feature) => ({ feature, made: recordRequests(page, feature) }));
  for await (const place of visitPlaces(page, sample))
    for (const [feature, parts] of Object.entries(PARTS))
      for (const [partPlace, part] of parts) if (partPlace === place) await expect(part(page), `${feature} in ${place}`).toBeVisible();
  for (const { feature, made } of requests) expect(made, feature).not.toEqual([]);
});

test("the features that the service listed last decide what a page shows before the service responds", async ({ open, network }) => {
  const page = await openWithout(["tasks"], open, network);
  await page.goto(`${sample.owner.url}/settings/profile`);
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  const description = await network.pause(page, "**/api/v2/service");
  await page.goto(`${sample.owner.url}/tasks`);
  await expect(page.getByText("This service doesn't offer tasks.")).toBeVisible();
  await expect.poll(() => description.urls.length).toBeGreaterThan(0);
  // Once the service describes itself, that counts.
  await network.reply(page, "**/api/v2/service", { json: await (await fetch(`${sample.owner.url}/api/v2/service`)).json() });
  await page.goto(`${sample.owner.url}/tasks`);
  await expect(page.getByRole("heading", { name: "My tasks" })).toBeVisible();
});

test("a page that knows no features shows no view before the service has responded", async ({ open, network }) => {
  const page = await openWithout(["tasks"], open, network);
  const requests = recordRequests(page, "tasks");
  const described = Promise.withResolvers<void>();
  await page.route("**/api/v2/service", async (route) => {
    await described.promise;
    await route.fallback();
  });
  // All that the view needs but the features.
  const loaded = [/\/api\/v2\/session$/, /\/v1\/groups\/ls$/, /\/TasksView-/].map((url) => page.waitForResponse(url));
  await page.goto(`${sample.owner.url}/tasks`);
  for (const response of loaded) await (await response).finished();
  await expect(page.getByRole("status", { name: "Loading" })).toBeVisible();
  described.resolve();
  await expect.soft(page.getByText("This service doesn't offer tasks.")).toBeVisible();
  expect(requests).toEqual([]);
});

test("a service that no longer has projects is used as one of the service document, also by who was signed in", async ({ open, network }) => {
  const page = await openWithout([], open, network);
  await page.goto(`${sample.owner.url}/projects/${sample.projectId}/chat`);
  await expect(composer(page)).toBeVisible();
  await network.patchResponse(page, "**/api/v2/service", withoutFeatures(["projects"]));
  const start = page.getByRole("heading", { name: "Open a chat or a file" });
  // Until the service has responded, the page goes by what it knew, which can lead to the chat that was open last.
  await page.goto(sample.owner.url);
  await expect(start.or(page.getByText("This service offers only the newest messages."))).toBeVisible();
  await page.goto(sample.owner.url);
  await expect(start).toBeVisible();
  const loads = network.recordRequests(page, /\/home$/);
  await page.goto(`${sample.owner.url}/home`);
  await expect(page.getByText("This service has no such page.")).toBeVisible();
  expect(loads).toHaveLength(1);
  await page.goto(`${sample.owner.url}/files/${sample.folderId}`);
  await expect.soft(page.getByText("This service doesn't offer listing what is in it.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Open in Files" })).toHaveCount(0);
});

test("a link with an order and a filter by metadata lists all files at a service without metadata", async ({ open, network }) => {
  const { owner, projectId, artistId } = sample;
  const path = `/projects/${projectId}/files?sort=field-${artistId}&order=desc&field-${artistId}=is:Nobody`;
  const page = await openWithout(["metadata"], open, network);
  const requests = network.recordRequests(page, /\/projects\/\d+\/files\?/);
  await page.goto(owner.url + path);
  await expect(page.getByRole("row", { name: /mix\.wav/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Remove filter/ })).toHaveCount(0);
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.filter((request) => /sort_field_id|metadata|fields=/.test(request))).toEqual([]);
});

/** Features of which none has a part on a page of another are missing together, to visit all places less often. */
const INDEPENDENT_FEATURES: readonly Feature[][] = [
  ["webhooks", "api-tokens", "sessions", "oauth", "audit-log"],
  ["chat-search", "search", "accounts", "demo", "push", "mail"],
];
// A service without projects is used as one of the service document, as tested above.
const SINGLE_FEATURES = FEATURES.filter((feature) => feature !== "projects" && !INDEPENDENT_FEATURES.flat().includes(feature)).map((feature) => [feature]);

for (const missing of [...INDEPENDENT_FEATURES, ...SINGLE_FEATURES])
  test(`a service without ${missing.join(", ")} is never asked for it`, async ({ open, network }) => {
    const page = await openWithout(missing, open, network);
    const requests = missing.map((feature) => recordRequests(page, feature));
    const reasonOf = (name: string) => page.getByText(/^This service doesn't offer /).filter({ hasText: name });
    for await (const place of visitPlaces(page, sample)) {
      for (const feature of missing) {
        for (const [partPlace, part] of PARTS[feature] ?? []) if (partPlace === place) await expect(part(page), `${feature} in ${place}`).toHaveCount(0);
        const name = NAMES[feature];
        if (name !== undefined && isReasonShown(place, feature)) await expect(reasonOf(name)).toBeVisible();
      }
      await expect(page.getByRole("button", { name: "Try again" }), place).toHaveCount(0);
    }
    for (const feature of missing) {
      const path = PAGES[feature]?.(sample.projectId);
      if (path === undefined) continue;
      await page.goto(sample.owner.url + path);
      await expect(page.getByText(`This service doesn't offer ${NAMES[feature]}.`, { exact: true })).toBeVisible();
    }
    expect(requests.flat()).toEqual([]);
  });
