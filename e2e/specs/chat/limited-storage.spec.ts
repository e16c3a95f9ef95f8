/** Drafts and messages survive in browsers that store little or share no locks. */
import type { Page } from "@playwright/test";
import { createProject, loadMessages, setUpOwner, type Person } from "../../fixtures/api.ts";
import { attachFiles, randomFile, createUploadThrottle, listChatFileNames } from "../../fixtures/attach-files.ts";
import { runBeforeClient } from "../../fixtures/before-client.ts";
import { countStored } from "../../fixtures/browser-storage.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError, NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { composer, expectSent, message, send, textsInOrder } from "../../fixtures/pages.ts";

const messageBodies = async (person: Person, projectId: number) => (await loadMessages(person, projectId)).map(({ body }) => body);

test("with full storage messages are still sent once, and a pending message shows that it is not saved", async ({
  pair: { ana, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const context = page.context();
  await send(page, "before storage is full");
  await expectSent(page, "before storage is full");
  await context.setOffline(true);
  await send(page, "saved before");
  await expect(message(page, "saved before")).toContainText("Waiting to send");
  // Simulates full storage: every put aborts its transaction, while reads and deletes still work.
  await page.evaluate(() => {
    const originalPut = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...args) {
      const request = originalPut.apply(this, args);
      this.transaction.abort();
      return request;
    };
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await send(page, "storage is full now");
  await expect(message(page, "storage is full now")).toContainText("Not saved in this browser");
  await expect(message(page, "saved before")).not.toContainText("Not saved");
  // Leaving the page asks for confirmation.
  const dialogOpened = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  const dialog = await dialogOpened;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();

  await context.setOffline(false);
  for (const text of ["saved before", "storage is full now"]) await expectSent(page, text);
  await page.reload();
  await expectSent(page, "storage is full now");
  expect(await messageBodies(ana, project.id)).toEqual(["before storage is full", "saved before", "storage is full now"]);
});

test("with forbidden storage messages are still sent, and a pending message shows that it is not saved", async ({
  pair: { ana, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const page = await open(ana, "/icon.svg");
  await runBeforeClient(
    page,
    () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("forbidden", "SecurityError");
      };
    },
    null,
  );
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(composer(page)).toBeVisible();
  expect(await page.evaluate(() => String(IDBFactory.prototype.open))).toContain("SecurityError");
  await send(page, "first");
  await expectSent(page, "first");
  await page.context().setOffline(true);
  await send(page, "second");
  await expect(message(page, "second")).toContainText("Not saved in this browser");
  await page.context().setOffline(false);
  await expectSent(page, "second");
  await expect.poll(() => messageBodies(ana, project.id)).toEqual(["first", "second"]);
});

/** Opens the outbox's database as another page of this browser does, and leaves it open; it closes for no other page. Runs in the page. */
const openOutboxDatabase = ({ version, stores }: { version: number; stores: Record<string, string> }) =>
  new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open("talkback.outbox", version);
    opening.onupgradeneeded = () => Object.entries(stores).forEach(([store, keyPath]) => opening.result.createObjectStore(store, { keyPath }));
    opening.onsuccess = () => resolve();
    opening.onerror = () => reject(opening.error);
  });

test("messages are saved in the database of a newer page and after a deletion; one that another page blocks is only announced as not saved", async ({
  pair: { ana, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const chatPath = `/projects/${project.id}/chat`;
  const page = await open(ana, "/icon.svg");
  const context = page.context();
  const storedCount = () => countStored(page, "talkback.outbox", "entries");

  await test.step("the database of a newer page", async () => {
    await page.evaluate(openOutboxDatabase, { version: 7, stores: { entries: "clientId", leases: "name", drafts: "id" } });
    await page.goto(`${ana.url}${chatPath}`);
    await expect(composer(page)).toBeVisible();
    await context.setOffline(true);
    await send(page, "in the newer database");
    await expect(message(page, "in the newer database")).toContainText("Waiting to send");
    await expect.poll(storedCount).toBe(1);
    await context.setOffline(false);
    await expectSent(page, "in the newer database");
  });

  await test.step("a database that is deleted while it is open", async () => {
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const deleting = indexedDB.deleteDatabase("talkback.outbox");
          deleting.onsuccess = () => resolve();
          deleting.onerror = () => reject(deleting.error);
        }),
    );
    await context.setOffline(true);
    await send(page, "after the deletion");
    await expect.poll(storedCount).toBe(1);
    await expect(message(page, "after the deletion")).not.toContainText("Not saved");
    await context.setOffline(false);
    await expectSent(page, "after the deletion");
  });

  await test.step("a database that another page blocks", async () => {
    const blocking = await context.newPage();
    await blocking.goto(`${ana.url}/icon.svg`);
    await page.goto(`${ana.url}/icon.svg`);
    await page.evaluate(() => new Promise((resolve) => (indexedDB.deleteDatabase("talkback.outbox").onsuccess = resolve)));
    await blocking.evaluate(openOutboxDatabase, { version: 1, stores: { leases: "name" } });
    await page.goto(`${ana.url}${chatPath}`);
    await expect(composer(page)).toBeVisible();
    await context.setOffline(true);
    await send(page, "while it is blocked");
    await expect(message(page, "while it is blocked")).toContainText("Not saved in this browser");
    await context.setOffline(false);
    await expectSent(page, "while it is blocked");
    await blocking.close();
    await context.setOffline(true);
    await send(page, "when it is free again");
    await expect.poll(storedCount).toBe(1);
    await expect(message(page, "when it is free again")).not.toContainText("Not saved");
    await context.setOffline(false);
    await expectSent(page, "when it is free again");
  });
  expect(await messageBodies(ana, project.id)).toEqual(["in the newer database", "after the deletion", "while it is blocked", "when it is free again"]);
});

test("over plain HTTP from another host two tabs send messages and files once and in order, and show what is unavailable", async ({
  startServiceWith,
  playwright,
  pageErrors,
  network,
}, info) => {
  pageErrors.allow(NETWORK_LOSS);
  pageErrors.allow(statusError(401));
  // Chromium's warnings about headers that require https.
  pageErrors.allow(/Cross-Origin-Opener-Policy|origin-keyed agent cluster/);
  // The browser treats this name as another machine: no locks and no clipboard.
  const remoteHost = "studio.test";
  const service = await startServiceWith((port) => ({ PUBLIC_URL: `http://${remoteHost}:${port}` }));
  const ana = { ...(await setUpOwner(service.url, service.setupLink())), url: service.url };
  const project = await createProject(ana, "Nightdrive");
  const { launchOptions = {} } = info.project.use;
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${remoteHost} 127.0.0.1`],
  });
  try {
    const { protocol, port } = new URL(ana.url);
    const url = `${protocol}//${remoteHost}:${port}`;
    const context = await browser.newContext({ locale: "en-GB", serviceWorkers: "block", reducedMotion: "reduce" });
    pageErrors.watch(context);
    const first = await context.newPage();
    await first.goto(`${url}/projects/${project.id}/chat`);
    await first.getByRole("textbox", { name: "Email or username" }).fill(ana.email);
    await first.getByLabel("Password", { exact: true }).fill(ana.password);
    await first.getByRole("button", { name: "Sign in" }).click();
    await expect(composer(first)).toBeVisible();
    expect(await first.evaluate(() => [isSecureContext, "locks" in navigator])).toEqual([false, false]);
    await expect(first.getByText("Not secure (http)")).toBeVisible();
    const second = await context.newPage();
    await second.goto(first.url());
    await expect(composer(second)).toBeVisible();
    const tabs: [Page, Page] = [first, second];

    // Drops every response once, so that the next tab with the lock sends the message again.
    const lostBodies = new Set<string>();
    await network.dropResponse(context, "**/v1/account/projects/chat_message", {
      matches(request) {
        const { body } = request.postDataJSON() as { body: string };
        return !lostBodies.has(body) && lostBodies.add(body).has(body);
      },
      // The test runner cannot resolve the name.
      mapUrl: (requestUrl) => requestUrl.replace(remoteHost, "127.0.0.1"),
    });
    const texts = Array.from({ length: 4 }, (_, index) => `written ${index + 1}`);
    for (const [index, text] of texts.entries()) {
      await send(tabs[index % 2]!, text);
      for (const tab of tabs) await expect(message(tab, text)).toBeVisible();
    }
    for (const tab of tabs) for (const text of texts) await expectSent(tab, text);

    let uploadCount = 0;
    context.on("request", (request) => void (request.method() === "POST" && request.url().endsWith("/api/v2/uploads") && (uploadCount += 1)));
    // Slow enough that the other tab checks whether the uploading tab still exists.
    await (
      await createUploadThrottle(first)
    )(40_000);
    await attachFiles(first, randomFile("bounce.bin", 300_000));
    await composer(first).fill("with the bounce");
    await composer(first).press("Enter");
    for (const tab of tabs) await expectSent(tab, "with the bounce");
    for (const tab of tabs) await expect.poll(() => textsInOrder(tab, /written \d|with the bounce/)).toEqual([...texts, "with the bounce"]);
    const stored = await loadMessages(ana, project.id);
    expect(stored.map(({ body }) => body)).toEqual([...texts, "with the bounce"]);
    expect(stored.at(-1)!.attachments.map(({ name }) => name)).toEqual(["bounce.bin"]);
    expect(await listChatFileNames(ana, project)).toEqual(["bounce.bin"]);
    expect(uploadCount).toBe(1);
  } finally {
    await browser.close();
  }
});
