/** A time in a message plays the audio that it refers to. */
import { sendMessage } from "../../../contract/operations/chat.ts";
import { call, createMessage, type Person } from "../../fixtures/api.ts";
import { commentRow, createComment } from "../../fixtures/comments.ts";
import { miniPlayer, playbackPosition } from "../../fixtures/file-page.ts";
import { sendFiles, upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { importMessages } from "../../fixtures/message-history.ts";
import { expect, test } from "../../fixtures/network.ts";
import { message, timeline } from "../../fixtures/pages.ts";

const reply = (person: Person, projectId: number, parentId: number, body: string) =>
  call(person, sendMessage, { body: { project_id: projectId, body, parent_message_id: parentId } });

test("a time plays the audio of the replied message, else the last above it; longer times and times of day are text", async ({
  pair: { ana, project },
  open,
}) => {
  const [bass, mix] = [await upload(ana, project, "bass.wav", wav(20)), await upload(ana, project, "mix.wav", wav(12))];
  for (const id of [bass, mix]) await waitUntilProcessed(ana, id);
  await createMessage(ana, project.id, "Before any sound 0:03");
  const { id: bassMessage } = await sendFiles(ana, project, [bass], "The bass");
  await sendFiles(ana, project, [mix], "The mix");
  await createMessage(ana, project.id, "Snare bites at 0:05, not at 0:15 or 14:30");
  await reply(ana, project.id, bassMessage, "Muddy 0:15–0:18 here");
  const page = await open(ana, `/projects/${project.id}/chat`);

  await expect(message(page, "Before any sound").getByRole("button", { name: /^Play .* from/ })).toHaveCount(0);
  const above = message(page, "Snare bites").getByRole("button", { name: /^Play .* from/ });
  await expect(above).toHaveCount(1);
  await above.hover();
  await expect(page.locator("[role=tooltip]")).toHaveText("Play mix.wav from 0:05");
  await above.click();
  await expect(miniPlayer(page).getByRole("button", { name: "Pause mix.wav" })).toBeVisible();
  await expect(page).toHaveURL(/\/chat$/);
  await message(page, "Muddy").getByRole("button", { name: "Play bass.wav from 0:15–0:18" }).click();
  await expect(miniPlayer(page).getByRole("button", { name: "Pause bass.wav" })).toBeVisible();
  await expect
    .poll(async () =>
      Number(
        await miniPlayer(page)
          .getByRole("slider", { name: /^Position/ })
          .getAttribute("aria-valuenow"),
      ),
    )
    .toBeGreaterThanOrEqual(15);
});

test("a time in a comment plays the file from there", async ({ pair: { ana, project }, open }) => {
  const id = await upload(ana, project, "mix.wav", wav(20));
  await waitUntilProcessed(ana, id);
  await createComment(ana, id, "Same hum as at 0:07, and 5:00 is no place in it");
  const page = await open(ana, `/files/${id}`);
  const times = commentRow(page, "Same hum").getByRole("button", { name: /^Play mix.wav from/ });
  await expect(times).toHaveCount(1);
  await times.click();
  await expect(page.getByRole("main").getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await expect.poll(async () => (await playbackPosition(page).innerText()) >= "0:07").toBe(true);
});

test("audio above the loaded messages is found, also that of a reply, and stays the same as older messages load", async ({
  organization,
  pair: { ana, project },
  open,
}) => {
  const [bass, mix] = [await upload(ana, project, "bass.wav", wav(5)), await upload(ana, project, "mix.wav", wav(5))];
  for (const id of [bass, mix]) await waitUntilProcessed(ana, id);
  const { id: bassMessage } = await sendFiles(ana, project, [bass], "The bass");
  await sendFiles(ana, project, [mix], "The mix");
  const now = Date.now();
  const filler = Array.from({ length: 250 }, (_, index) => ({ accountId: ana.id, body: `talk ${index}`, createdAt: now + index }));
  importMessages(organization.service, project.id, filler, [ana.id]);
  await createMessage(ana, project.id, "Louder at 0:02");
  await reply(ana, project.id, bassMessage, "Softer at 0:03");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const louder = message(page, "Louder").getByRole("button", { name: "Play mix.wav from 0:02" });
  await expect(louder).toBeVisible();
  await expect(message(page, "Softer").getByRole("button", { name: "Play bass.wav from 0:03" })).toBeVisible();
  await expect(async () => {
    await timeline(page).press("Home");
    await expect(message(page, "The mix")).toBeInViewport({ timeout: 500 });
  }).toPass();
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect(louder).toBeVisible();
});
