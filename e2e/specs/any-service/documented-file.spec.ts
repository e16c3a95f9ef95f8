/** Shows the pages of files of a service that offers only the documented operations. */
import { expectAccessible } from "../../fixtures/axe.ts";
import {
  allowStatus,
  chatPath,
  drawnPixels,
  expect,
  expectOnlyDocumented,
  expectPagePlayback,
  fact,
  filePath,
  main,
  tagsPanel,
  test,
} from "../../fixtures/documented-pages.ts";
import { createOddRecords, ODD_FILES, ODD_PROJECT } from "../../fixtures/documented-service/odd-records.ts";
import { FILES } from "../../fixtures/documented-service/records.ts";
import { message } from "../../fixtures/pages.ts";

test("a file's page shows waveform, tags, facts and status of audio, and the other kinds as far as the document describes them", async ({
  connect,
  pageErrors,
}) => {
  const { service, page, show } = await connect();
  await show(filePath(FILES.mix));
  const heading = (name: string) => main(page).getByRole("heading", { name, level: 1 });
  await test.step("audio with everything", async () => {
    await expect(heading("nightdrive mix.wav")).toBeVisible();
    await expect(main(page).getByText("Approved", { exact: true })).toBeVisible();
    await expect(tagsPanel(page).getByRole("listitem")).toContainText(["Electro: 91%", "Synthwave: 64%", "Driving: 77%", "Dark: 50%", "Synthesizer: 88%"]);
    await expect(tagsPanel(page).locator("dl > div")).toContainText(["120 bpm", "A minor"]);
    await expect(fact(page, "Tempo")).toHaveText("120 bpm");
    await expect(fact(page, "Compressed copy")).toHaveText("Yes");
    for (const text of ["44.1 kHz", "Halden"]) await expect(main(page).getByText(text).first()).toBeVisible();
    await expect.poll(() => drawnPixels(page)).toBeGreaterThan(2_000);
    await expectPagePlayback(page);
    await expectAccessible(page);
  });
  await test.step("audio without status, tags and encoding", async () => {
    await show(filePath(FILES.draft));
    await expect(heading("draft.wav")).toBeVisible();
    await expect(main(page).getByText("Approved")).toHaveCount(0);
    await expectPagePlayback(page);
  });
  await test.step("kinds whose file info the document does not show", async () => {
    for (const [id, name] of [
      [FILES.video, "teaser.webm"],
      [FILES.image, "cover.png"],
      [FILES.document, "delivery notes.txt"],
    ] as const) {
      await show(filePath(id));
      await expect(heading(name)).toBeVisible();
      await expect(main(page).getByRole("link", { name: "Download" }).first()).toBeVisible();
    }
  });
  await test.step("a file that is not there, and a refused one", async () => {
    allowStatus(pageErrors, 404, `${service.baseUrl}/v1/files/get_info`);
    allowStatus(pageErrors, 403, `${service.baseUrl}/v1/files/get_info`);
    await show(filePath(12_345));
    await expect(page.getByRole("alert")).toContainText("There is no file with the ID 12345");
    service.setFailure("fileInfo", 403);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("alert")).toContainText("Your access token isn't allowed to read it.");
  });
  expectOnlyDocumented(service, 6);
});

test("records with odd, missing and unknown values are shown as well as possible", async ({ connect }) => {
  const { service, page, show } = await connect({ createRecords: createOddRecords });
  await show(chatPath(ODD_PROJECT));
  for (const text of [
    "Of an unknown type.",
    "Only the necessary members.",
    "The parent is not among the messages.",
    "Sent at an unknown time.",
    "The last one.",
  ])
    await expect(message(page, text)).toBeVisible();
  for (const name of ["bare.bin", "scene.blend", "huge.wav"]) await expect(message(page, "Files of unknown kinds.").getByText(name).first()).toBeVisible();
  await expectAccessible(page);
  for (const [id, name] of [
    [ODD_FILES.shortWave, "two values.wav"],
    [ODD_FILES.hugeWave, "huge.wav"],
    [ODD_FILES.beyondRange, "beyond.wav"],
  ] as const) {
    await show(filePath(id));
    await expect(main(page).getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect.poll(() => drawnPixels(page), name).toBeGreaterThan(500);
    await expectPagePlayback(page);
  }
  await show(filePath(ODD_FILES.shortWave));
  // The best first; a score beyond 1 counts as 1 and does not change the others.
  await expect(tagsPanel(page).getByRole("listitem")).toContainText(["Noise: 100%", "Techno: 90%", "Ambient: 20%", "Calm: 40%"]);
  await expect(tagsPanel(page).locator("dl > div")).toContainText(["118 bpm", "Unknown"]);
  await expect(main(page).getByText("Somewhere else", { exact: true })).toBeVisible();
  await expect(fact(page, "Processing")).toHaveText("Queued elsewhere");
  await expectAccessible(page);
  for (const [id, name] of [
    [ODD_FILES.bare, "bare.bin"],
    [ODD_FILES.unknownKind, "scene.blend"],
  ] as const) {
    await show(filePath(id));
    await expect(main(page).getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect(fact(page, "Size")).toHaveText("Unknown");
    await expect(fact(page, "Shared")).toHaveText(id === ODD_FILES.bare ? "Unknown" : "No");
    await expect(main(page).getByText(id === ODD_FILES.bare ? "Unknown status" : "new", { exact: true })).toBeVisible();
  }
  await show(filePath(ODD_FILES.folder));
  await expect(main(page).getByText("This is a folder")).toBeVisible();
  await expect(main(page).getByText("This service doesn't offer listing what is in it.")).toBeVisible();
  await expect(fact(page, "File ID")).toHaveText(String(ODD_FILES.folder));
  await expect(main(page).getByRole("link", { name: "Open in Files" })).toHaveCount(0);
  expectOnlyDocumented(service, 8);
});
