import { setUpOwner, createProject, join, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { comment, commentsOf, expectThere, field, marker, remove, row } from "../../fixtures/comments.ts";
import { processed, sendFiles, upload } from "../../fixtures/files.ts";
import { answered, NETWORK_LOSS } from "../../fixtures/guard.ts";
import { wav } from "../../fixtures/media.ts";
import { connectionLine, message } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/network.ts";
import { readyFile } from "../../fixtures/ready-files.ts";

const COMMENTS = "**/api/v2/files/*/comments";
const bodies = async (person: Person, fileId: number) => (await commentsOf(person, fileId)).map(({ body }) => body);

test("two people review a file together: moment, dot, reply, resolve, and the chat that leads back", async ({ house, pair: { ana, ben, project }, open }) => {
  const id = await readyFile(house, ana, project, "mix.wav");
  await sendFiles(ana, project, [id], "New bounce");
  const [hers, chat] = await Promise.all([open(ana, `/files/${id}?t=3`), open(ben, `/projects/${project.id}/chat`)]);
  await expect(hers.getByText("Nothing was said yet.")).toBeVisible();
  const dot = chat.getByRole("img", { name: "Unread comments" });
  await expect(message(chat, "New bounce")).toBeVisible();
  await expect(dot).toHaveCount(0);

  // The moment of the key stays, wherever the sound is when the comment is sent.
  await hers.keyboard.press("m");
  await hers.keyboard.type("Bass is");
  for (const key of ["Escape", "ArrowRight", "m"]) await hers.keyboard.press(key);
  await expect(hers.getByTestId("position")).toHaveText("0:08.0");
  await hers.keyboard.type(" hot");
  await hers.keyboard.press("Enter");
  await expectThere(hers, "Bass is hot");
  await expect(field(hers)).toHaveValue("");
  expect(await commentsOf(ana, id)).toMatchObject([{ body: "Bass is hot", position_ms: 3_000, end_ms: null, version: 1 }]);
  await expect(dot).toBeVisible();

  const his = await chat.context().newPage();
  await his.goto(`${ben.url}/files/${id}`);
  await expect(row(his, "Bass is hot").getByRole("img", { name: "New" })).toBeVisible();
  await expect(dot).toHaveCount(0);
  await expect(marker(his, /at 0:03.0: Bass is hot/)).toBeVisible();
  await his.bringToFront();
  await row(his, "Bass is hot").hover();
  await row(his, "Bass is hot")
    .getByRole("button", { name: /^Reply to/ })
    .click();
  await his.keyboard.type("2 dB less");
  await his.keyboard.press("Enter");
  await expect(row(hers, "2 dB less")).toBeVisible();
  await row(his, "Bass is hot").getByRole("button", { name: "Resolve" }).click();
  await expect(row(hers, "Bass is hot")).toContainText("Resolved");
  await hers.getByRole("button", { name: "Mine" }).click();
  await expect(hers).toHaveURL(/comments=mine/);

  // Those that lie on each other are chosen from by the mouse.
  const hats = await comment(ben, id, "Hats too", { at: 3 });
  await expectThere(hers, "Hats too");
  await marker(hers, "2 comments around 0:03.0").click();
  await hers.getByRole("menuitem", { name: /Hats too/ }).click();
  await expect(row(hers, "Hats too")).toBeFocused();
  await expect(hers.getByRole("menuitem")).toHaveCount(0);

  // What is deleted meanwhile does not take along what somebody writes about it.
  await hers.keyboard.press("r");
  await hers.keyboard.type("Half an answer");
  await remove(ben, hats);
  await expect(row(hers, "This comment was deleted.")).toContainText("Your text is kept here");
  await expect(hers.getByRole("textbox", { name: `Reply to ${ben.name}` })).toBeFocused();
  await expect(hers.getByRole("textbox", { name: `Reply to ${ben.name}` })).toHaveValue("Half an answer");
  await hers.getByRole("button", { name: "Let it go" }).press("Enter");
  await expect(row(hers, "Bass is hot")).toBeFocused();
  await expect(row(hers, "This comment was deleted.")).toHaveCount(0);

  // Twice shown it is one message, which leads to the moment.
  await row(hers, "Bass is hot").hover();
  await row(hers, "Bass is hot")
    .getByRole("button", { name: `More for the comment of ${ana.name}` })
    .click();
  await hers.getByRole("menuitem", { name: "Show in chat" }).click();
  await expect(hers.getByRole("region", { name: "What was just done" })).toBeVisible();
  await chat.bringToFront();
  const card = message(chat, "Bass is hot").getByRole("link", { name: /^Comment 0:03.0 .*Bass is hot/ });
  await card.click();
  await expect(chat).toHaveURL(new RegExp(`/files/${id}\\?comment=`));
  await expect(chat.getByTestId("position")).toHaveText("0:03.0");
  await expect(row(chat, "Bass is hot")).toBeFocused();
});

test("comments outlast a dead service, two tabs, a lost answer and a refusal; none is lost or doubled", async ({ ownService, open, network, guard }) => {
  guard.allow(NETWORK_LOSS);
  guard.allow(/net::ERR_FAILED/);
  const owner = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const ben = await join(owner, "Ben", "member", [project.id]);
  const id = await upload(owner, project, "mix.wav", wav(3));
  await processed(owner, id);
  const first = await open(owner, `/files/${id}`);
  const second = await first.context().newPage();
  await second.goto(first.url());
  for (const tab of [first, second]) await expect(tab.getByText("Nothing was said yet.")).toBeVisible();

  await ownService.kill();
  await expect(connectionLine(first)).toBeVisible();
  for (const [index, tab] of [first, second, first].entries()) {
    await tab.bringToFront();
    await field(tab).fill(`kept ${index}`);
    await field(tab).press("Enter");
    for (const one of [first, second]) await expect(row(one, `kept ${index}`)).toHaveCount(1);
  }
  await field(second).fill("half a comment");
  await second.reload().catch(() => undefined);
  await second.close();
  await ownService.start();
  for (const text of ["kept 0", "kept 1", "kept 2"]) await expectThere(first, text);
  await expect.poll(() => bodies(owner, id)).toEqual(["kept 0", "kept 1", "kept 2"]);
  await expect(field(first)).toHaveValue("half a comment");

  // The service has it, its answer gets lost.
  const lost = await network.loseAnswer(first, COMMENTS, { method: "POST", times: 1 });
  await field(first).press("Enter");
  await expectThere(first, "half a comment");
  await comment(ben, id, "from elsewhere", { at: 2 });
  await expectThere(first, "from elsewhere");
  expect(lost.urls).toHaveLength(1);
  await expect.poll(() => bodies(owner, id)).toEqual(["kept 0", "kept 1", "kept 2", "half a comment", "from elsewhere"]);

  // Refused, it says why and goes back into the field with its moment.
  guard.allow(answered(400));
  const refusal = await network.refuse(first, COMMENTS, 400, "The disk is full of opinions", { method: "POST" });
  await first.getByRole("slider").first().press("End");
  await field(first).fill("refused one");
  await field(first).press("Enter");
  await expect(row(first, "refused one")).toContainText("Not sent: The disk is full of opinions");
  await row(first, "refused one").getByRole("button", { name: "Take back" }).click();
  await expect(row(first, "refused one")).toHaveCount(0);
  await expect(field(first)).toHaveValue("refused one");
  await expect(field(first)).toHaveAccessibleName("Comment at 0:03.0");
  await refusal.end();
  await field(first).press("Enter");
  await expectThere(first, "refused one");
  expect((await commentsOf(owner, id)).at(-1)).toMatchObject({ body: "refused one", position_ms: 3_000 });
});

test("a file is reviewed by the keyboard alone, at the size of a phone, and nothing of it is out of reach", async ({
  house,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await readyFile(house, ana, project, "mix.wav");
  await comment(ben, id, "Snare is late", { at: 2 });
  await comment(ben, id, "The pad could open up", { at: 5, end: 8 });
  const page = await open(ana, `/files/${id}`, { viewport: { width: 390, height: 844 } });
  await expect(row(page, "Snare is late")).toBeVisible();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  // From comment to comment; a row has the focus and its own keys.
  await press("n");
  await expect(row(page, "Snare is late")).toBeFocused();
  await expect(page.getByTestId("position")).toHaveText("0:02.0");
  await expect(row(page, "Snare is late")).toHaveAttribute("aria-current", "true");
  await press("r");
  await page.keyboard.type("Moved it");
  await press("Enter");
  await expect(row(page, "Snare is late")).toContainText("Moved it");
  await expect(row(page, "Snare is late")).toBeFocused();
  await press("n");
  await expect(row(page, "The pad could open up")).toBeFocused();
  await press("d");
  await expect(row(page, "The pad could open up")).toContainText("Resolved");

  // A range by the keys of the loop, or while writing.
  await press("Home", "l", "m");
  await page.keyboard.type("Louder here");
  await press("Alt+i");
  await expect(field(page)).toHaveAccessibleName(/^Comment at/);
  await press("Enter");
  await expectThere(page, "Louder here");
  await press("Escape", "Home", "i", "ArrowRight", "o", "m");
  await expect(field(page)).toHaveAccessibleName("Comment on 0:00.0 to 0:05.0");
  await page.keyboard.type("Too long");
  await press("Enter");
  await expectThere(page, "Too long");
  await expectAccessible(page);

  await row(page, "Too long").focus();
  await press("e", "End");
  await page.keyboard.type("!");
  await press("Enter");
  await expect(row(page, "Too long!")).toContainText("(edited)");
  await expect(row(page, "Too long!")).toBeFocused();
  await press("Delete");
  await expect(row(page, "Too long!")).toHaveCount(0);
  await expect(row(page, "Snare is late")).toBeFocused();
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await expect(row(page, "Too long!")).toHaveCount(1);
  expect((await commentsOf(ana, id)).find(({ body }) => body === "Too long!")).toMatchObject({ position_ms: 0, end_ms: 5_000 });
});
