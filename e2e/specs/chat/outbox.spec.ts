/** Messages written while the network or the service is unavailable are sent once and in order, whatever happens to their tab. */
import type { Page } from "@playwright/test";
import { timeoutFactor } from "../../../playwright.config.ts";
import { createProject, loadMessages, joinByInvite, setUpOwner, createMessage, type Person } from "../../fixtures/api.ts";
import { attachFiles, randomFile, createUploadThrottle, waitUntilBytesAreStored } from "../../fixtures/attach-files.ts";
import { countStored } from "../../fixtures/browser-storage.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError, NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { composer, connectionBanner, expectSent, message, newTab, send, textsInOrder } from "../../fixtures/pages.ts";

const SEND_URL = "**/v1/account/projects/chat_message";
const numberedTexts = (text: string, count: number) => Array.from({ length: count }, (_, index) => `${text} ${index + 1}`);
const messageBodies = async (person: Person, projectId: number) => (await loadMessages(person, projectId)).map(({ body }) => body);

/** Opens the same chat in another tab of the same browser. */
async function openAnotherTab(page: Page): Promise<Page> {
  const tab = await newTab(page, page.url());
  await expect(composer(tab)).toBeVisible();
  // Waits for the history, because a tab without a network otherwise shows a load error in place of the pending messages.
  await expect(tab.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  return tab;
}

test("without a network two tabs show pending messages and send them once in order, even after both were closed", async ({
  pair: { ana, ben, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const idlePage = await open(ana, "/icon.svg");
  const context = idlePage.context();
  const first = await newTab(idlePage, `${ana.url}/projects/${project.id}/chat`);
  await send(first, "before");
  await expectSent(first, "before");
  const second = await openAnotherTab(first);
  const tabs = [first, second];
  const [offlineTexts, leftTexts] = [numberedTexts("while away", 4), numberedTexts("left behind", 3)];
  const missedTexts = numberedTexts("missed", 5);

  await test.step("the lost network is shown, pending messages are sent once, and missed messages arrive", async () => {
    await context.setOffline(true);
    for (const [index, text] of offlineTexts.entries()) {
      await send(tabs[index % 2]!, text);
      for (const tab of tabs) await expect(message(tab, text)).toBeVisible();
    }
    for (const tab of tabs) {
      await expect(connectionBanner(tab)).toContainText("No connection since");
      await expect(connectionBanner(tab)).toContainText("4 messages will send");
    }
    for (const text of missedTexts) await createMessage(ben, project.id, text);
    for (const tab of tabs) await expect(message(tab, "missed")).toHaveCount(0);
    await context.setOffline(false);
    for (const tab of tabs) {
      await expect(connectionBanner(tab)).toHaveCount(0);
      for (const text of offlineTexts) await expectSent(tab, text);
    }
    const stored = await messageBodies(ana, project.id);
    expect(stored).toEqual(["before", ...missedTexts, ...offlineTexts]);
    for (const tab of tabs) await expect.poll(() => textsInOrder(tab, /before|while away \d|missed \d/)).toEqual(stored);
  });

  await test.step("messages left in closed tabs are sent once and in order when the chat is opened again", async () => {
    const storedBefore = await messageBodies(ana, project.id);
    await context.setOffline(true);
    for (const text of leftTexts) {
      await send(first, text);
      await expect(message(first, text)).toContainText("Waiting to send");
    }
    await expect(connectionBanner(first)).toContainText("3 messages will send");
    await expect.poll(() => countStored(first, "talkback.outbox", "entries")).toBe(3);
    // Another page stays open, because a browser may quit when its last tab of the chat closes.
    await second.close();
    const closeEvent = first.waitForEvent("close");
    await first.close({ runBeforeUnload: true });
    await closeEvent;
    expect(await messageBodies(ana, project.id)).toEqual(storedBefore);
    await context.setOffline(false);
    await idlePage.goto(`${ana.url}/projects/${project.id}/chat`);
    for (const text of leftTexts) await expectSent(idlePage, text);
    await expect.poll(() => messageBodies(ana, project.id)).toEqual([...storedBefore, ...leftTexts]);
    await expect.poll(() => textsInOrder(idlePage, /before|(while away|missed|left behind) \d/)).toEqual([...storedBefore, ...leftTexts]);
    await idlePage.reload();
    await expectSent(idlePage, leftTexts.at(-1)!);
    expect(await messageBodies(ana, project.id)).toEqual([...storedBefore, ...leftTexts]);
  });
});

test("a service that is killed and restarted loses and duplicates nothing, and another tab sends the messages of a tab that was closed meanwhile", async ({
  ownService,
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const owner = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const ben = await joinByInvite(owner, "Ben", "member", [project.id]);
  const [ownerPage, benPage] = await Promise.all([open(owner, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  const dyingTab = await openAnotherTab(ownerPage);
  await send(ownerPage, "before");
  // Others can see a message before its sender knows that it was sent.
  for (const page of [ownerPage, dyingTab, benPage]) await expectSent(page, "before");

  await ownService.kill();
  await expect(connectionBanner(ownerPage)).toContainText("No connection since");
  const offlineTexts = numberedTexts("while away", 4);
  for (const text of offlineTexts) await send(dyingTab, text);
  await expect(connectionBanner(ownerPage)).toContainText("4 messages will send when you're back online.");
  await expect(message(ownerPage, "while away 4")).toContainText("Waiting to send");
  await dyingTab.close();
  await send(benPage, "from the other side");
  await expect(message(benPage, "from the other side")).toContainText("Waiting to send");

  await ownService.start();
  for (const page of [ownerPage, benPage]) {
    await expect(connectionBanner(page)).toHaveCount(0, { timeout: 30_000 * timeoutFactor });
    for (const text of [...offlineTexts, "from the other side"]) await expectSent(page, text);
  }
  const stored = await messageBodies(owner, project.id);
  expect(stored).toHaveLength(6);
  expect(stored.filter((body) => offlineTexts.includes(body))).toEqual(offlineTexts);
  for (const page of [ownerPage, benPage]) await expect.poll(() => textsInOrder(page, /before|while away \d|from the other side/)).toEqual(stored);
});

test("a lost response sends nothing twice; a rejected message shows Retry and Delete in every tab, even after a reload", async ({
  pair: { ana, project },
  open,
  pageErrors,
  network,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  pageErrors.allow(/ERR_FAILED/);
  const first = await open(ana, `/projects/${project.id}/chat`);
  const context = first.context();

  await test.step("a lost response does not send the message twice", async () => {
    const interception = await network.dropResponse(context, SEND_URL, { times: 1 });
    await send(first, "said once");
    await expectSent(first, "said once");
    await expect.poll(() => interception.urls).toHaveLength(1);
    await send(first, "and then this");
    await expectSent(first, "and then this");
    expect(await messageBodies(ana, project.id)).toEqual(["said once", "and then this"]);
    await interception.end();
  });

  await test.step("a rejected message shows Retry and Delete in every tab, even after a reload, and the next message is sent", async () => {
    pageErrors.allow(statusError(400));
    const interception = await network.replyWithProblem(context, SEND_URL, 400, "not today", { matches: (request) => request.postDataJSON().body !== "fine" });
    for (const text of ["keep me", "drop me"]) {
      await send(first, text);
      await expect(message(first, text)).toContainText("Not sent: not today");
    }
    await send(first, "fine");
    await expectSent(first, "fine");
    await first.reload();
    await expect(message(first, "keep me")).toContainText("Not sent: not today");
    const second = await openAnotherTab(first);
    await message(second, "drop me").getByRole("button", { name: "Delete" }).click();
    await expect(message(first, "drop me")).toHaveCount(0);
    await interception.end();
    await message(second, "keep me").getByRole("button", { name: "Retry" }).click();
    for (const tab of [first, second]) {
      await expect(message(tab, "keep me")).not.toContainText("Not sent");
      await expectSent(tab, "keep me");
    }
    expect(await messageBodies(ana, project.id)).toEqual(["said once", "and then this", "fine", "keep me"]);
  });
});

test("a message that waits for its file survives a reload and the end of its tab, and is sent with the file", async ({
  pair: { ana, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const slowTab = await openAnotherTab(page);
  const setUploadRate = await createUploadThrottle(slowTab);
  const sendSlowly = async (name: string, text: string) => {
    await setUploadRate(40_000);
    await attachFiles(slowTab, randomFile(name, 400_000));
    await composer(slowTab).fill(text);
    await composer(slowTab).press("Enter");
    await expect(message(slowTab, text)).toContainText("Waiting for");
    await expect(message(page, text)).toBeVisible();
    await waitUntilBytesAreStored(slowTab);
  };
  const stored = async () =>
    (await loadMessages(ana, project.id)).map(({ body, attachments }) => [body, attachments.map(({ name, size }) => [name, size])] as const);

  await test.step("a message that waits for its file survives a reload and is sent with it", async () => {
    await sendSlowly("bounce.bin", "with the bounce");
    await slowTab.reload();
    await expect(message(slowTab, "with the bounce")).toBeVisible();
    await setUploadRate(null);
    await expect.poll(stored).toEqual([["with the bounce", [["bounce.bin", 400_000]]]]);
    for (const tab of [page, slowTab]) await expectSent(tab, "with the bounce");
  });

  await test.step("an upload left unfinished by a closed tab is finished by another one, and its message is sent", async () => {
    await sendSlowly("stems.bin", "with the stems");
    await slowTab.close();
    await expectSent(page, "with the stems");
    expect((await stored()).at(-1)).toEqual(["with the stems", [["stems.bin", 400_000]]]);
  });
});
