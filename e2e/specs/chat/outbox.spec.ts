/** What is written without a network or without a service goes out once, in order, whatever becomes of its tab. */
import type { Page } from "@playwright/test";
import { patience } from "../../../playwright.config.ts";
import { createProject, history, join, setUpOwner, write, type Person } from "../../fixtures/api.ts";
import { choose, file, lineOf } from "../../fixtures/choosing.ts";
import { answered, NETWORK_LOSS } from "../../fixtures/guard.ts";
import { composer, connectionLine, expectSent, message, newTab, send, textsInOrder } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/network.ts";

const SENDING = "**/v1/account/projects/chat_message";
const numbered = (text: string, count: number) => Array.from({ length: count }, (_, index) => `${text} ${index + 1}`);
const bodies = async (person: Person, projectId: number) => (await history(person, projectId)).map(({ body }) => body);

/** Another tab of the same browser, with the same chat. */
async function anotherTab(page: Page): Promise<Page> {
  const tab = await newTab(page, page.url());
  await expect(composer(tab)).toBeVisible();
  // Else a tab without a network shows that nothing can be loaded, in place of what waits.
  await expect(tab.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  return tab;
}

test("without a network two tabs show what waits in both, and send it once in the order of writing, also when both are closed", async ({
  pair: { ana, ben, project },
  open,
  guard,
}) => {
  guard.allow(NETWORK_LOSS);
  const parked = await open(ana, "/icon.svg");
  const context = parked.context();
  const first = await newTab(parked, `${ana.url}/projects/${project.id}/chat`);
  await send(first, "before");
  await expectSent(first, "before");
  const second = await anotherTab(first);
  const tabs = [first, second];
  const [away, left] = [numbered("while away", 4), numbered("left behind", 3)];
  const missed = numbered("missed", 5);

  await test.step("a cut network is shown; what was written goes out once, what was missed comes in", async () => {
    await context.setOffline(true);
    for (const [index, text] of away.entries()) {
      await send(tabs[index % 2]!, text);
      for (const tab of tabs) await expect(message(tab, text)).toBeVisible();
    }
    for (const tab of tabs) {
      await expect(connectionLine(tab)).toContainText("No connection since");
      await expect(connectionLine(tab)).toContainText("4 messages wait");
    }
    for (const text of missed) await write(ben, project.id, text);
    for (const tab of tabs) await expect(message(tab, "missed")).toHaveCount(0);
    await context.setOffline(false);
    for (const tab of tabs) {
      await expect(connectionLine(tab)).toHaveCount(0);
      for (const text of away) await expectSent(tab, text);
    }
    const stored = await bodies(ana, project.id);
    expect(stored).toEqual(["before", ...missed, ...away]);
    for (const tab of tabs) await expect.poll(() => textsInOrder(tab, /before|while away \d|missed \d/)).toEqual(stored);
  });

  await test.step("what is left behind in closed tabs goes out once, in order, when the chat is opened again", async () => {
    const known = await bodies(ana, project.id);
    await context.setOffline(true);
    for (const text of left) {
      await send(first, text);
      await expect(message(first, text)).toContainText("Waiting for the connection");
    }
    await expect(connectionLine(first)).toContainText("3 messages wait");
    // A browser whose last tab of the chat is closed may end.
    await second.close();
    const closed = first.waitForEvent("close");
    await first.close({ runBeforeUnload: true });
    await closed;
    expect(await bodies(ana, project.id)).toEqual(known);
    await context.setOffline(false);
    await parked.goto(`${ana.url}/projects/${project.id}/chat`);
    for (const text of left) await expectSent(parked, text);
    await expect.poll(() => bodies(ana, project.id)).toEqual([...known, ...left]);
    await expect.poll(() => textsInOrder(parked, /before|(while away|missed|left behind) \d/)).toEqual([...known, ...left]);
    await parked.reload();
    await expectSent(parked, left.at(-1)!);
    expect(await bodies(ana, project.id)).toEqual([...known, ...left]);
  });
});

test("a service that dies and comes back loses and doubles nothing; a tab that dies meanwhile leaves its messages to the other tab", async ({
  ownService,
  open,
  guard,
}) => {
  guard.allow(NETWORK_LOSS);
  const owner = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const ben = await join(owner, "Ben", "member", [project.id]);
  const [hers, his] = await Promise.all([open(owner, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  const dying = await anotherTab(hers);
  await send(hers, "before");
  await expect(message(his, "before")).toBeVisible();
  await expect(message(dying, "before")).toBeVisible();

  await ownService.kill();
  await expect(connectionLine(hers)).toContainText("No connection since");
  const written = numbered("while away", 4);
  for (const text of written) await send(dying, text);
  await expect(connectionLine(hers)).toContainText("4 messages wait and are sent by themselves.");
  await expect(message(hers, "while away 4")).toContainText("Waiting for the connection");
  await dying.close();
  await send(his, "from the other side");
  await expect(message(his, "from the other side")).toContainText("Waiting for the connection");

  await ownService.start();
  for (const page of [hers, his]) {
    await expect(connectionLine(page)).toHaveCount(0, { timeout: 30_000 * patience });
    for (const text of [...written, "from the other side"]) await expectSent(page, text);
  }
  const stored = await bodies(owner, project.id);
  expect(stored).toHaveLength(6);
  expect(stored.filter((body) => written.includes(body))).toEqual(written);
  for (const page of [hers, his]) await expect.poll(() => textsInOrder(page, /before|while away \d|from the other side/)).toEqual(stored);
});

test("an answer that is lost sends nothing twice; what is refused waits with Retry and Delete in every tab, also after a reload", async ({
  pair: { ana, project },
  open,
  guard,
  network,
}) => {
  guard.allow(NETWORK_LOSS);
  guard.allow(/ERR_FAILED/);
  const first = await open(ana, `/projects/${project.id}/chat`);
  const context = first.context();

  await test.step("an answer that is lost on the way does not send the message twice", async () => {
    const lost = await network.loseAnswer(context, SENDING, { times: 1 });
    await send(first, "said once");
    await expectSent(first, "said once");
    await expect.poll(() => lost.urls).toHaveLength(1);
    await send(first, "and then this");
    await expectSent(first, "and then this");
    expect(await bodies(ana, project.id)).toEqual(["said once", "and then this"]);
    await lost.end();
  });

  await test.step("a message that was refused waits with Retry and Delete in every tab, also after a reload; the next one goes out", async () => {
    guard.allow(answered(400));
    const refusal = await network.refuse(context, SENDING, 400, "not today", { matches: (request) => request.postDataJSON().body !== "fine" });
    for (const text of ["keep me", "drop me"]) {
      await send(first, text);
      await expect(message(first, text)).toContainText("Not sent: not today");
    }
    await send(first, "fine");
    await expectSent(first, "fine");
    await first.reload();
    await expect(message(first, "keep me")).toContainText("Not sent: not today");
    const second = await anotherTab(first);
    await message(second, "drop me").getByRole("button", { name: "Delete" }).click();
    await expect(message(first, "drop me")).toHaveCount(0);
    await refusal.end();
    await message(second, "keep me").getByRole("button", { name: "Retry" }).click();
    for (const tab of [first, second]) {
      await expect(message(tab, "keep me")).not.toContainText("Not sent");
      await expectSent(tab, "keep me");
    }
    expect(await bodies(ana, project.id)).toEqual(["said once", "and then this", "fine", "keep me"]);
  });
});

test("a message that waits for its file outlasts a reload and the end of its tab, and takes the file along", async ({
  pair: { ana, project },
  open,
  guard,
}) => {
  guard.allow(NETWORK_LOSS);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const slow = await anotherTab(page);
  const line = await lineOf(slow);
  const sendSlowly = async (name: string, text: string) => {
    await line(40_000);
    await choose(slow, file(name, 400_000));
    await composer(slow).fill(text);
    await composer(slow).press("Enter");
    await expect(message(slow, text)).toContainText("Waiting for");
    await expect(message(page, text)).toBeVisible();
  };
  const stored = async () =>
    (await history(ana, project.id)).map(({ body, attachments }) => [body, attachments.map(({ name, size }) => [name, size])] as const);

  await test.step("a message that waits for its file outlasts a reload and takes it along", async () => {
    await sendSlowly("bounce.bin", "with the bounce");
    await slow.reload();
    await expect(message(slow, "with the bounce")).toBeVisible();
    await line(null);
    await expect.poll(stored).toEqual([["with the bounce", [["bounce.bin", 400_000]]]]);
    for (const tab of [page, slow]) await expectSent(tab, "with the bounce");
  });

  await test.step("an upload that its tab leaves unfinished is finished by another one, and its message goes", async () => {
    await sendSlowly("stems.bin", "with the stems");
    await slow.close();
    await expectSent(page, "with the stems");
    expect((await stored()).at(-1)).toEqual(["with the stems", [["stems.bin", 400_000]]]);
  });
});
