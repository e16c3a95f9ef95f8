import { setUpOwner, createProject, joinByInvite, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { createComment, loadComments, expectCommentSaved, commentField, commentMarker, removeComment, commentRow } from "../../fixtures/comments.ts";
import { waitUntilProcessed, sendFiles, upload } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError, NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { connectionBanner, message } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { skipFrames } from "../../fixtures/rendering.ts";
import { statusButton } from "../../fixtures/statuses.ts";

const COMMENTS_URL = "**/api/v2/files/*/comments";
const commentBodies = async (person: Person, fileId: number) => (await loadComments(person, fileId)).map(({ body }) => body);

test("two people review a file with an anchored comment, unread dot, reply and resolve, and links from the chat", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  await sendFiles(ana, project, [id], "New bounce");
  const [anaPage, chat] = await Promise.all([open(ana, `/files/${id}?t=3`), open(ben, `/projects/${project.id}/chat`)]);
  await expect(anaPage.getByText("No comments yet.")).toBeVisible();
  const unreadDot = chat.getByRole("img", { name: "Unread comments" });
  await expect(message(chat, "New bounce")).toBeVisible();
  await expect(unreadDot).toHaveCount(0);

  // The comment keeps the position at which the key was pressed, wherever playback is when it is sent.
  await anaPage.keyboard.press("m");
  await anaPage.keyboard.type("Bass is");
  for (const key of ["Escape", "ArrowRight", "m"]) await anaPage.keyboard.press(key);
  await expect(anaPage.getByTestId("position")).toHaveText("0:08.0");
  await anaPage.keyboard.type(" hot");
  await anaPage.keyboard.press("Enter");
  await expectCommentSaved(anaPage, "Bass is hot");
  await expect(commentField(anaPage)).toHaveValue("");
  expect(await loadComments(ana, id)).toMatchObject([{ body: "Bass is hot", position_ms: 3_000, end_ms: null, version: 1 }]);
  await expect(unreadDot).toBeVisible();

  const benPage = await chat.context().newPage();
  await benPage.goto(`${ben.url}/files/${id}`);
  await expect(commentRow(benPage, "Bass is hot").getByRole("img", { name: "New" })).toBeVisible();
  await expect(unreadDot).toHaveCount(0);
  await expect(commentMarker(benPage, /at 0:03.0: Bass is hot/)).toBeVisible();
  await benPage.bringToFront();
  await commentRow(benPage, "Bass is hot").hover();
  await commentRow(benPage, "Bass is hot")
    .getByRole("button", { name: /^Reply to/ })
    .click();
  await benPage.keyboard.type("2 dB less");
  await benPage.keyboard.press("Enter");
  await expect(commentRow(anaPage, "2 dB less")).toBeVisible();
  await commentRow(benPage, "Bass is hot").getByRole("button", { name: "Resolve" }).click();
  await expect(anaPage.getByText("1 new in resolved")).toBeVisible();
  await anaPage.getByRole("button", { name: "Show", exact: true }).click();
  await expect(commentRow(anaPage, "Bass is hot")).toContainText("Resolved");
  await anaPage.getByRole("button", { name: "Mine" }).click();
  await expect(anaPage).toHaveURL(/comments=mine/);
  // Mine leaves out what others write.
  await anaPage.getByRole("button", { name: "All", exact: true }).click();

  // Overlapping markers open a menu on click.
  const hats = await createComment(ben, id, "Hats too", { startSeconds: 3 });
  await expectCommentSaved(anaPage, "Hats too");
  await commentMarker(anaPage, "2 comments around 0:03.0").click();
  await anaPage.getByRole("menuitem", { name: /Hats too/ }).click();
  await expect(commentRow(anaPage, "Hats too")).toBeFocused();
  await expect(anaPage.getByRole("menuitem")).toHaveCount(0);

  // Deleting a comment does not discard a reply that is being written to it.
  await anaPage.keyboard.press("r");
  await anaPage.keyboard.type("Half an answer");
  await removeComment(ben, hats);
  await expect(commentRow(anaPage, "This comment was deleted.")).toContainText("Copy your text or discard it.");
  await expect(anaPage.getByRole("textbox", { name: `Reply to ${ben.name}` })).toBeFocused();
  await expect(anaPage.getByRole("textbox", { name: `Reply to ${ben.name}` })).toHaveValue("Half an answer");
  await anaPage.getByRole("button", { name: "Discard" }).press("Enter");
  await expect(commentRow(anaPage, "Bass is hot")).toBeFocused();
  await expect(commentRow(anaPage, "This comment was deleted.")).toHaveCount(0);

  // A comment shared twice is one message, which links to the comment's position.
  await commentRow(anaPage, "Bass is hot").hover();
  await commentRow(anaPage, "Bass is hot")
    .getByRole("button", { name: `More actions for ${ana.name}'s comment` })
    .click();
  await anaPage.getByRole("menuitem", { name: "Post in chat" }).click();
  await expect(anaPage.getByRole("region", { name: "Notifications" })).toBeVisible();
  await chat.bringToFront();
  const commentCard = message(chat, "Bass is hot").getByRole("link", { name: /^Comment 0:03.0 .*Bass is hot/ });
  // On a busy machine many frames pass before the list renders.
  await skipFrames(chat);
  await commentCard.click();
  await expect(chat).toHaveURL(new RegExp(`/files/${id}\\?comment=`));
  await expect(chat.getByTestId("position")).toHaveText("0:03.0");
  await expect(commentRow(chat, "Bass is hot")).toBeFocused();
});

test("a link to a comment is followed once the comments load, without undoing what the user has done meanwhile", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
}) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const { id: commentId } = await createComment(ben, id, "Bass is hot", { startSeconds: 3 });
  const page = await open(ana, "/icon.svg");
  const position = page.getByTestId("position");
  const openLink = async () => {
    const loading = await network.pause(page, `${COMMENTS_URL}*`, { method: "GET" });
    await page.goto(`${ana.url}/files/${id}?comment=${commentId}`);
    await expect(commentField(page)).toBeVisible();
    await expect(position).toHaveText("0:00.0");
    return loading;
  };

  await test.step("the user writes", async () => {
    const loading = await openLink();
    await page.keyboard.press("m");
    await page.keyboard.type("Drums are");
    await loading.end();
    await expect(commentRow(page, "Bass is hot")).toBeVisible();
    // The page has followed the link once it plays from there.
    await expect(position).toHaveText("0:03.0");
    await page.keyboard.type(" dead");
    await expect(commentField(page)).toBeFocused();
    await expect(commentField(page)).toHaveValue("Drums are dead");
    expect(await loadComments(ana, id)).toMatchObject([{ body: "Bass is hot", deleted: false, resolved_at: null }]);
  });

  await test.step("a menu is open", async () => {
    const loading = await openLink();
    await statusButton(page).click();
    const item = page.getByRole("menuitemradio").first();
    await expect(item).toBeVisible();
    await loading.end();
    await expect(position).toHaveText("0:03.0");
    await expect(commentRow(page, "Bass is hot")).not.toBeFocused();
    await expect(page.getByRole("menu").locator(":focus")).toHaveCount(1);
  });

  await test.step("the user seeks, and the URL records the position", async () => {
    const loading = await openLink();
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(/t=5\.0/);
    await loading.end();
    await expect(commentRow(page, "Bass is hot")).toBeFocused();
    await expect(position).toHaveText("0:05.0");
  });
});

test("comments survive a killed service, two tabs, a lost response and a rejection, without loss or duplicates", async ({
  ownService,
  open,
  network,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  pageErrors.allow(/net::ERR_FAILED/);
  const owner = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const ben = await joinByInvite(owner, "Ben", "member", [project.id]);
  const id = await upload(owner, project, "mix.wav", wav(3));
  await waitUntilProcessed(owner, id);
  const first = await open(owner, `/files/${id}`);
  const second = await first.context().newPage();
  await second.goto(first.url());
  for (const tab of [first, second]) await expect(tab.getByText("No comments yet.")).toBeVisible();

  await ownService.kill();
  await expect(connectionBanner(first)).toBeVisible();
  for (const [index, tab] of [first, second, first].entries()) {
    await tab.bringToFront();
    await commentField(tab).fill(`kept ${index}`);
    await commentField(tab).press("Enter");
    for (const openTab of [first, second]) await expect(commentRow(openTab, `kept ${index}`)).toHaveCount(1);
  }
  await commentField(second).fill("half a comment");
  await second.reload().catch(() => undefined);
  await second.close();
  await ownService.start();
  for (const text of ["kept 0", "kept 1", "kept 2"]) await expectCommentSaved(first, text);
  await expect.poll(() => commentBodies(owner, id)).toEqual(["kept 0", "kept 1", "kept 2"]);
  await expect(commentField(first)).toHaveValue("half a comment");

  // The service stores the comment, but its response is lost.
  const dropped = await network.dropResponse(first, COMMENTS_URL, { method: "POST", times: 1 });
  await commentField(first).press("Enter");
  await expectCommentSaved(first, "half a comment");
  await createComment(ben, id, "from elsewhere", { startSeconds: 2 });
  await expectCommentSaved(first, "from elsewhere");
  expect(dropped.urls).toHaveLength(1);
  await expect.poll(() => commentBodies(owner, id)).toEqual(["kept 0", "kept 1", "kept 2", "half a comment", "from elsewhere"]);

  // A rejected comment shows the reason and returns to the field with its position.
  pageErrors.allow(statusError(400));
  const interception = await network.replyWithProblem(first, COMMENTS_URL, 400, "The disk is full of opinions", { method: "POST" });
  await first.getByRole("slider").first().press("End");
  await commentField(first).fill("refused one");
  await commentField(first).press("Enter");
  await expect(commentRow(first, "refused one")).toContainText("Not sent: The disk is full of opinions");
  await commentRow(first, "refused one").getByRole("button", { name: "Edit", exact: true }).click();
  await expect(commentRow(first, "refused one")).toHaveCount(0);
  await expect(commentField(first)).toHaveValue("refused one");
  await expect(commentField(first)).toHaveAccessibleName("Comment at 0:03.0");
  await interception.end();
  await commentField(first).press("Enter");
  await expectCommentSaved(first, "refused one");
  expect((await loadComments(owner, id)).at(-1)).toMatchObject({ body: "refused one", position_ms: 3_000 });
});

test("a file is reviewed by keyboard alone at phone size, and everything is reachable", async ({ organization, pair: { ana, ben, project }, open }) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  await createComment(ben, id, "Snare is late", { startSeconds: 2 });
  await createComment(ben, id, "The pad could open up", { startSeconds: 5, endSeconds: 8 });
  const page = await open(ana, `/files/${id}`, { viewport: { width: 390, height: 844 } });
  await expect(commentRow(page, "Snare is late")).toBeVisible();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  // Moves from comment to comment; a focused row has its own shortcuts.
  await press("n");
  await expect(commentRow(page, "Snare is late")).toBeFocused();
  await expect(page.getByTestId("position")).toHaveText("0:02.0");
  await expect(commentRow(page, "Snare is late")).toHaveAttribute("aria-current", "true");
  await press("r");
  await page.keyboard.type("Moved it");
  await press("Enter");
  await expect(commentRow(page, "Snare is late")).toContainText("Moved it");
  await expect(commentRow(page, "Snare is late")).toBeFocused();
  await press("n");
  await expect(commentRow(page, "The pad could open up")).toBeFocused();
  await press("d");
  await expect(commentRow(page, "The pad could open up")).toContainText("Resolved");

  // Sets a range with the loop shortcuts, or while writing.
  await press("Home", "l", "m");
  await page.keyboard.type("Louder here");
  await press("Alt+i");
  await expect(commentField(page)).toHaveAccessibleName(/^Comment at/);
  await press("Enter");
  await expectCommentSaved(page, "Louder here");
  await press("Escape", "Home", "i", "ArrowRight", "o", "m");
  await expect(commentField(page)).toHaveAccessibleName("Comment from 0:00.0 to 0:05.0");
  await page.keyboard.type("Too long");
  await press("Enter");
  await expectCommentSaved(page, "Too long");
  await expectAccessible(page);

  await commentRow(page, "Too long").focus();
  await press("e", "End");
  await page.keyboard.type("!");
  await press("Enter");
  await expect(commentRow(page, "Too long!")).toContainText("(edited)");
  await expect(commentRow(page, "Too long!")).toBeFocused();
  await press("Delete");
  await expect(commentRow(page, "Too long!")).toHaveCount(0);
  await expect(commentRow(page, "Snare is late")).toBeFocused();
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await expect(commentRow(page, "Too long!")).toHaveCount(1);
  expect((await loadComments(ana, id)).find(({ body }) => body === "Too long!")).toMatchObject({ position_ms: 0, end_ms: 5_000 });
});
