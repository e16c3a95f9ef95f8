/** Three and more audio files of a message are rows that play one after the other. */
import type { Page } from "@playwright/test";
import { expectAccessible } from "../../fixtures/axe.ts";
import { miniPlayer } from "../../fixtures/file-page.ts";
import { sendFiles, upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/network.ts";
import { message } from "../../fixtures/pages.ts";
import { createProcessedFiles } from "../../fixtures/processed-files.ts";

const playerButton = (page: Page, name: string) => miniPlayer(page).getByRole("button", { name, exact: true });

test("stems play one after the other, a row continues from its file, and the mini player skips, mutes and changes the speed", async ({
  pair: { ana, project },
  open,
}) => {
  const ids: number[] = [];
  for (const name of ["drums.wav", "bass.wav", "keys.wav"]) ids.push(await upload(ana, project, name, wav(2)));
  for (const id of ids) await waitUntilProcessed(ana, id);
  await sendFiles(ana, project, ids, "The stems");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const row = message(page, "The stems");
  await expect(row.getByText("3 audio files · 0:06")).toBeVisible();
  await expectAccessible(page);

  await row.getByRole("button", { name: "Play all" }).click();
  await expect(playerButton(page, "Pause drums.wav")).toBeVisible();
  await expect(miniPlayer(page)).toContainText("1 of 3 in Ana");
  await expect(playerButton(page, "Pause bass.wav")).toBeVisible();
  await row.getByRole("button", { name: "Play keys.wav" }).click();
  await expect(playerButton(page, "Pause keys.wav")).toBeVisible();
  await expect(miniPlayer(page)).toContainText("3 of 3");
  await expect(playerButton(page, "Next track")).toBeDisabled();
  await playerButton(page, "Previous track").click();
  await row.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(row.getByRole("button", { name: "Resume" })).toBeVisible();

  await playerButton(page, "Mute").click();
  await expect(playerButton(page, "Unmute")).toBeVisible();
  await expect(miniPlayer(page).getByRole("slider", { name: "Volume" })).toHaveValue("0");
  await playerButton(page, "Speed: 1.0×").click();
  await page.getByRole("menuitemradio", { name: "1.5×" }).click();
  await expect(playerButton(page, "Speed: 1.5×")).toBeFocused();
  await expectAccessible(page);
});

test("a row starts the list at its file; many rows are folded; all are downloaded as one zip", async ({ organization, pair: { ana, project }, open }) => {
  const names = Array.from({ length: 12 }, (_, index) => `stem ${index + 1}.wav`);
  const ids = await createProcessedFiles(organization, ana, project, names);
  await sendFiles(ana, project, ids, "All stems");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const row = message(page, "All stems");
  await expect(row.getByRole("button", { name: /^Play stem/ })).toHaveCount(8);
  await row.getByRole("button", { name: "Show all 12" }).click();
  await expect(row.getByRole("button", { name: /^Play stem/ })).toHaveCount(12);
  await row.getByRole("button", { name: "Play stem 2.wav" }).click();
  await expect(playerButton(page, "Pause stem 2.wav")).toBeVisible();
  await expect(miniPlayer(page)).toContainText("2 of 12");
  await playerButton(page, "Next track").click();
  await expect(playerButton(page, "Pause stem 3.wav")).toBeVisible();
  const download = page.waitForEvent("download");
  await row.getByRole("link", { name: "Download all" }).click();
  expect((await download).suggestedFilename()).toBe(`Files from ${ana.name}.zip`);
});
