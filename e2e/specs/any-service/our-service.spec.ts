/** Uses our service from a page of another origin, by an access token. */
import { statSync } from "node:fs";
import { type Scope, SCOPES } from "../../../contract/define-operation.ts";
import { createToken, revokeToken } from "../../../contract/operations/accounts.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { attachFiles, namedFile, uploadCard } from "../../fixtures/attach-files.ts";
import { call, createMessage, createProject, loadMessages, setUpOwner } from "../../fixtures/api.ts";
import { connectTab } from "../../fixtures/connection.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { PROCESSING, sendFiles, setStatus, upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { png, singleWithCover, wav } from "../../fixtures/media.ts";
import { expectSent, message, send } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/network.ts";

test("chat, live events, uploads, playback, pictures and downloads work from another origin, and the token goes only to the service", async ({
  organization,
  open,
  startServiceWith,
}) => {
  test.slow();
  const pageOrigin = organization.service.url;
  const service = await startServiceWith({ CORS_ORIGINS: pageOrigin });
  const owner = await setUpOwner(service.url, service.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const { token = "" } = (await call(owner, createToken, { body: { name: "Client elsewhere", scopes: [...SCOPES], expires_at: null } })).data;
  const [song, picture] = await Promise.all([upload(owner, project, "single.mp3", singleWithCover()), upload(owner, project, "cover art.png", png(900, 600))]);
  for (const id of [song, picture]) await waitUntilProcessed(owner, id);
  await setStatus(owner, project, song, "In review");
  await sendFiles(owner, project, [song, picture], "For you");

  const page = await open(null, `${pageOrigin}/icon.svg`);
  const requests: { method: string; url: string; authorization: string | undefined }[] = [];
  page.on("request", (request) => requests.push({ method: request.method(), url: request.url(), authorization: request.headers()["authorization"] }));
  await connectTab(page, { baseUrl: service.url, token });
  await page.goto(`${pageOrigin}/projects/${project.id}/chat`);
  const row = message(page, "For you");

  await test.step("messages are sent, and those of others arrive live", async () => {
    await expect(row).toContainText("In review");
    await send(page, "From elsewhere");
    await expectSent(page, "From elsewhere");
    expect((await loadMessages(owner, project.id)).at(-1)?.body).toBe("From elsewhere");
    await createMessage(owner, project.id, "Heard you");
    await expect(message(page, "Heard you")).toBeVisible();
  });

  await test.step("pictures, covers and sound are shown and played by signed URLs, one request for each file", async () => {
    const pictures = page.locator("[role=log] img[src*='/api/v2/media/']");
    await expect(pictures).toHaveCount(2);
    await expect.poll(() => pictures.evaluateAll((images) => images.every((image) => (image as HTMLImageElement).naturalWidth > 0))).toBe(true);
    await row.getByRole("button", { name: "Play single.mp3" }).click();
    const position = row.getByRole("slider", { name: "Position in single.mp3" });
    await expect(position).not.toHaveAttribute("aria-valuenow", "0");
    await row.getByRole("button", { name: "Pause single.mp3" }).click();
    const signings = requests.filter(({ method, url }) => method === "POST" && url.endsWith("/signed-url")).map(({ url }) => new URL(url).pathname);
    expect(signings.toSorted()).toEqual([song, picture].map((id) => `/api/v2/files/${id}/signed-url`).toSorted());
  });

  await test.step("a file is downloaded under its name", async () => {
    const download = page.waitForEvent("download");
    await row.getByRole("link", { name: "Download single.mp3" }).click();
    expect((await download).suggestedFilename()).toBe("single.mp3");
    expect(statSync(await (await download).path()).size).toBe(singleWithCover().length);
  });

  await test.step("a file is uploaded and its page draws the waveform and plays it", async () => {
    await attachFiles(page, namedFile("take.wav", wav(8)));
    await expect(uploadCard(page, "take.wav")).toContainText("Uploaded");
    await send(page, "A take");
    await expect(message(page, "A take").getByRole("slider", { name: "Position in take.wav" })).toHaveAttribute("aria-valuemax", "8", PROCESSING);
    await message(page, "A take").getByRole("link", { name: "take.wav", exact: true }).click();
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { name: "take.wav" })).toBeVisible();
    await main.getByRole("button", { name: "Play", exact: true }).first().click();
    await expect(main.getByRole("button", { name: "Pause", exact: true }).first()).toBeVisible();
    await expect(main.getByRole("slider", { name: "Position", exact: false }).first()).not.toHaveAttribute("aria-valuenow", "0");
  });

  await test.step("a selection is downloaded as one ZIP", async () => {
    await page.goto(`${pageOrigin}/projects/${project.id}/files`);
    for (const name of ["single.mp3", "cover art.png"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as ZIP" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  });

  const elsewhere = requests.filter(({ url, authorization }) => new URL(url).origin !== service.url && authorization !== undefined);
  expect(elsewhere).toEqual([]);
  expect(requests.filter(({ url }) => new URL(url).origin === pageOrigin && /\/(v1|api)\//.test(url)).map(({ url }) => url)).toEqual([]);
  // The page would report the end of its service.
  await page.close();
});

test("a token without the scope webhooks asks for no webhooks, and another one can take its place", async ({
  organization,
  open,
  startServiceWith,
  network,
}) => {
  const pageOrigin = organization.service.url;
  const service = await startServiceWith({ CORS_ORIGINS: pageOrigin });
  const owner = await setUpOwner(service.url, service.setupLink());
  const createTokenWith = async (scopes: Scope[]) =>
    (await call(owner, createToken, { body: { name: `${scopes.length} scopes`, scopes, expires_at: null } })).data.token ?? "";
  const page = await open(null, `${pageOrigin}/icon.svg`);
  const requests = network.recordRequests(page, /\/api\/v2\/webhook-endpoints/);
  await connectTab(page, { baseUrl: service.url, token: await createTokenWith(["account:read", "chat:read", "files:read"]) });
  await page.goto(`${pageOrigin}/settings/profile`);
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  await page.getByRole("link", { name: "Webhooks" }).first().click();
  await expect(page.getByText("Your access token can't manage webhooks")).toBeVisible();
  await expectAccessible(page);
  expect(requests).toEqual([]);

  await page.getByRole("button", { name: "Enter another token" }).click();
  await page
    .getByRole("dialog")
    .getByRole("textbox", { name: "Access token" })
    .fill(await createTokenWith([...SCOPES]));
  await page.getByRole("button", { name: "Use this token" }).click();
  await expect(page.getByRole("button", { name: "New endpoint" }).first()).toBeVisible();
  expect(requests.length).toBeGreaterThan(0);
  await page.close();
});

test("a token that is revoked ends the live channel, with one notice; another one brings it back", async ({
  organization,
  open,
  startServiceWith,
  pageErrors,
}) => {
  pageErrors.allow(statusError(401));
  const pageOrigin = organization.service.url;
  const service = await startServiceWith({ CORS_ORIGINS: pageOrigin });
  const owner = await setUpOwner(service.url, service.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const issueToken = async (name: string) => (await call(owner, createToken, { body: { name, scopes: [...SCOPES], expires_at: null } })).data;
  const first = await issueToken("First");
  const page = await open(null, `${pageOrigin}/icon.svg`);
  await connectTab(page, { baseUrl: service.url, token: first.token ?? "" });
  await page.clock.install();
  await page.goto(`${pageOrigin}/projects/${project.id}/chat`);
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
  await createMessage(owner, project.id, "Heard live");
  await expect(message(page, "Heard live")).toBeVisible();

  await call(owner, revokeToken, { params: { token_id: first.id } });
  await expect(page.getByText("The service refused the access token")).toHaveCount(1);
  await createMessage(owner, project.id, "Written meanwhile");
  await expect(message(page, "Heard live")).toBeVisible();
  // Longer than an interruption lasts before it is shown.
  await page.clock.fastForward(10_000);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page.getByRole("region", { name: "Connection" })).toHaveCount(0);

  await page.getByRole("button", { name: "Enter another token" }).click();
  await page
    .getByRole("dialog")
    .getByRole("textbox", { name: "Access token" })
    .fill((await issueToken("Second")).token ?? "");
  await page.getByRole("button", { name: "Use this token" }).click();
  await expect(message(page, "Written meanwhile")).toBeVisible();
  await createMessage(owner, project.id, "Live again");
  await expect(message(page, "Live again")).toBeVisible();
  await expect(page.getByText("The service refused the access token")).toHaveCount(0);
  await page.close();
});

test("what is opened in a service that is chosen for one tab stays in the tab until it is disconnected", async ({
  organization,
  open,
  startServiceWith,
  pageErrors,
}) => {
  const pageOrigin = organization.service.url;
  const service = await startServiceWith({ CORS_ORIGINS: pageOrigin });
  const owner = await setUpOwner(service.url, service.setupLink());
  await createProject(owner, "Daylight");
  const project = await createProject(owner, "Nightdrive");
  const song = await upload(owner, project, "single.mp3", singleWithCover());
  await waitUntilProcessed(owner, song);
  const { token = "" } = (await call(owner, createToken, { body: { name: "One tab", scopes: [...SCOPES], expires_at: null } })).data;
  const page = await open(null, `${pageOrigin}/icon.svg`);
  await connectTab(page, { baseUrl: service.url, token });
  const namesIn = (area: "sessionStorage" | "localStorage") =>
    page.evaluate(([name, address]) => Object.keys(window[name]).filter((key) => key.endsWith(`:${address}/`)), [area, service.url] as const);

  await page.goto(`${pageOrigin}/projects/${project.id}/chat`);
  await createMessage(owner, project.id, "Heard you");
  await expect(message(page, "Heard you")).toBeVisible();
  await page.goto(`${pageOrigin}/files/${song}`);
  await expect(page.getByRole("main").getByRole("heading", { name: "single.mp3" })).toBeVisible();

  await test.step("a reload opens the project of before", async () => {
    await page.goto(pageOrigin);
    await expect(page).toHaveURL(`${pageOrigin}/projects/${project.id}/chat`);
    await page.reload();
    await expect(message(page, "Heard you")).toBeVisible();
  });
  await test.step("local storage has nothing of it", async () => {
    expect((await namesIn("sessionStorage")).toSorted()).toEqual(
      ["favorites-height", "features", "last-project", "signed-in"].map((name) => `talkback.${name}:${service.url}/`),
    );
    expect(await namesIn("localStorage")).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(service.url);
  });
  await test.step("disconnecting removes it from the tab", async () => {
    // Nobody is signed in to the page's own service.
    pageErrors.allow(statusError(401));
    await page.goto(`${pageOrigin}/connect`);
    await page.getByRole("button", { name: "Disconnect" }).click();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(await namesIn("sessionStorage")).toEqual([]);
  });
});
