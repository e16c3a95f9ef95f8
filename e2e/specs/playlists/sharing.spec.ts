import { chatHistory } from "../../../contract/operations/chat.ts";
import { deletePlaylist } from "../../../contract/operations/playlists.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { miniPlayer } from "../../fixtures/file-page.ts";
import { composer, dialog, message } from "../../fixtures/pages.ts";
import { createProcessedFiles } from "../../fixtures/processed-files.ts";
import { writePlaylist } from "../../fixtures/playlists.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a playlist is attached to a message, plays in the chat, and the card follows its changes", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const ids = await createProcessedFiles(organization, ana, project, ["one.wav", "two.wav"]);
  await writePlaylist(ana, project, "Side A", ids);
  const [anaPage, benPage] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  const card = (name: string) => benPage.getByRole("region", { name: `Playlist ${name}` });

  await test.step("from the composer", async () => {
    await anaPage.getByRole("button", { name: "Attach a playlist" }).click();
    await dialog(anaPage, "Attach a playlist")
      .getByRole("button", { name: /Side A/ })
      .click();
    await expect(anaPage.getByRole("button", { name: "Remove Side A" })).toBeVisible();
    await expectAccessible(anaPage);
    await composer(anaPage).fill("This order?");
    // It is stored with the text.
    await anaPage.reload();
    await expect(composer(anaPage)).toHaveValue("This order?");
    await expect(anaPage.getByRole("button", { name: "Remove Side A" })).toBeVisible();
    await composer(anaPage).press("Enter");
    await expect(anaPage.getByRole("button", { name: "Remove Side A" })).toHaveCount(0);
    await expect(message(benPage, "This order?")).toContainText("2 tracks · 0:40 · Gapless");
  });

  await test.step("the card plays the playlist, and leads to it", async () => {
    await card("Side A").getByRole("button", { name: "Play Side A" }).click();
    await expect(card("Side A")).toContainText("1 of 2 · one.wav");
    await expectAccessible(benPage);
    await miniPlayer(benPage).getByRole("button", { name: "Next track" }).click();
    await expect(card("Side A")).toContainText("2 of 2 · two.wav");
    await card("Side A").getByRole("button", { name: "Pause Side A" }).click();
    await card("Side A").getByRole("link", { name: "Side A" }).click();
    await expect(benPage.getByRole("heading", { name: "Side A" })).toBeVisible();
  });

  await test.step("renamed and deleted elsewhere", async () => {
    await benPage.getByRole("button", { name: "More actions for Side A" }).click();
    await benPage.getByRole("menuitem", { name: "Edit…" }).click();
    await dialog(benPage, "Edit playlist").getByRole("textbox", { name: "Name" }).fill("Side B");
    await dialog(benPage, "Edit playlist").getByRole("button", { name: "Save" }).click();
    await expect(message(anaPage, "This order?")).toContainText("Side B");
    await benPage.getByRole("button", { name: "More actions for Side B" }).click();
    await benPage.getByRole("menuitem", { name: "Delete" }).click();
    await expect(message(anaPage, "This order?")).toContainText("Deleted playlist");
  });
});

test("a playlist that is deleted before the message is sent is named in the composer, and the message goes without it", async ({
  pair: { ana, ben, project },
  open,
}) => {
  const { id } = await writePlaylist(ana, project, "Side A");
  const page = await open(ana, `/playlists/${id}`);
  await page.getByRole("button", { name: "More actions for Side A" }).click();
  await page.getByRole("menuitem", { name: "Share in chat" }).click();
  const send = page.getByRole("button", { name: "Send", exact: true });
  await expect(send).toBeEnabled();
  await call(ben, deletePlaylist, { params: { playlist_id: id } });
  await expect(page.getByText("Side A was deleted").last()).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Side A was deleted" })).toHaveCount(1);
  await expect(send).toBeDisabled();
  await expectAccessible(page);
  await composer(page).fill("Never mind");
  await composer(page).press("Enter");
  await expect(message(page, "Never mind")).toBeVisible();
  await expect(page.getByText("Side A was deleted")).toHaveCount(0);
  const sent = async () => (await call(ben, chatHistory, { body: { project_id: project.id } })).data.map(({ body, playlist }) => [body, playlist ?? null]);
  await expect.poll(sent).toEqual([["Never mind", null]]);
});

test("on a phone a playlist is opened, played, put in order and shared, and nothing overflows", async ({ organization, pair: { ana, project }, open }) => {
  const ids = await createProcessedFiles(organization, ana, project, ["a very long name of a mix that does not fit on a phone, take 27.wav", "two.wav"]);
  await writePlaylist(ana, project, "Side A", ids);
  const page = await open(ana, "/", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const expectNoOverflow = () => expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.getByRole("link", { name: "Playlists" }).tap();
  await expectNoOverflow();
  await page.getByRole("main").getByRole("link", { name: "Side A" }).tap();
  await expect(page.getByText("2 tracks · 0:40 · Gapless")).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Play", exact: true }).tap();
  await expect(miniPlayer(page).getByRole("button", { name: "Next track" })).toBeVisible();
  await expectNoOverflow();
  await expectAccessible(page);
  await miniPlayer(page).getByRole("button", { name: "Next track" }).tap();
  await expect(miniPlayer(page).getByRole("button", { name: "Pause two.wav" })).toBeVisible();
  // After some seconds of a track, the first press starts it again.
  await expect(async () => {
    await miniPlayer(page).getByRole("button", { name: "Previous track" }).tap();
    await expect(miniPlayer(page).getByRole("button", { name: /^Pause a very long name/ })).toBeVisible({ timeout: 2_000 });
  }).toPass();

  // In the composer of the chat, which leads to the playlists of the project.
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await page.getByRole("button", { name: "Attach", exact: true }).tap();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Attach a playlist" }).tap();
  await dialog(page, "Attach a playlist")
    .getByRole("button", { name: /Side A/ })
    .tap();
  await page.getByRole("button", { name: "Remove Side A" }).tap();
  await page.getByRole("button", { name: `Options for ${project.name}` }).tap();
  await page.getByRole("menuitem", { name: "Playlists" }).tap();
  await page.getByRole("main").getByRole("link", { name: "Side A" }).tap();
  await page.getByRole("button", { name: "More actions for Side A" }).tap();
  await page.getByRole("menuitem", { name: "Share in chat" }).tap();
  await expect(page.getByRole("button", { name: "Remove Side A" })).toBeVisible();
  await page.getByRole("button", { name: "Send", exact: true }).tap();
  await expect(page.getByRole("region", { name: "Playlist Side A" })).toBeVisible();
  await expectNoOverflow();
});
