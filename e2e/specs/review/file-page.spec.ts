import type { Page } from "@playwright/test";
import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { FILE_INFO_URL, playButton, playbackPosition } from "../../fixtures/file-page.ts";
import { loadFileInfo } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";

const slider = (page: Page, name: string) => page.getByRole("slider", { name: `Position in ${name}` });

/** Counts the non-empty pixels of the waveform's canvases on the screen. */
const countDrawnPixels = (page: Page) =>
  slider(page, "mix.wav").evaluate((element) => {
    const host = [...element.querySelectorAll("*")].find(({ shadowRoot }) => shadowRoot)?.shadowRoot;
    return [...(host?.querySelectorAll<HTMLCanvasElement>(".canvases canvas") ?? [])].reduce((sum, canvas) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      return sum + data.filter((value, index) => index % 4 === 3 && value > 0).length;
    }, 0);
  });

test("an audio file's page handles a link to a position, keys, a service with only the documented members, and audio that fails to load", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
  pageErrors,
}) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const address = `${ben.url}/files/${id}`;
  const page = await open(ben, "/icon.svg");

  await test.step("a link opens the page at its position, with the waveform before any audio is loaded", async () => {
    const byteRequests = network.recordRequests(page, /\/(original|compressed)/);
    await page.goto(`${address}?t=13.4`);
    await expect(playbackPosition(page)).toHaveText("0:13.4");
    await expect(slider(page, "mix.wav")).toHaveAttribute("aria-valuetext", "13 seconds of 20 seconds");
    await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
    await expect.poll(() => countDrawnPixels(page)).toBeGreaterThan(1_000);
    expect(byteRequests).toEqual([]);
    await expect(page.getByRole("main")).toContainText("44.1 kHz");
    await expect(page.getByRole("main")).toContainText("Genres, moods and instruments aren't analyzed on this server.");
    await expect(page.getByRole("heading", { name: "Genres" })).toHaveCount(0);
    await expectAccessible(page);
    await expectReadable(page);
  });

  await test.step("an owner reads how to install the missing tagging model", async () => {
    const ownerPage = await open(organization.owner, address);
    await expect(ownerPage.getByText("need a tagging model")).toContainText("run npm run admin -- install-model on the server.");
    await expectReadable(ownerPage);
    await ownerPage.close();
  });

  await test.step("keys control playback, and a click on the waveform seeks", async () => {
    for (const [key, expectedPosition] of [
      ["5", "0:10.0"],
      ["ArrowRight", "0:15.0"],
      ["j", "0:05.0"],
      ["End", "0:20.0"],
      ["ArrowLeft", "0:15.0"],
      ["Home", "0:00.0"],
      ["l", "0:10.0"],
    ] as const) {
      await page.keyboard.press(key);
      await expect(playbackPosition(page), key).toHaveText(expectedPosition);
    }
    const box = (await slider(page, "mix.wav").boundingBox())!;
    await slider(page, "mix.wav").click({ position: { x: box.width / 4, y: box.height / 2 } });
    await expect(playbackPosition(page)).toHaveText(/0:0(4\.9|5\.0)/);
    await page.keyboard.press(" ");
    await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
    await page.keyboard.press("k");
    await expect(playButton(page)).toBeVisible();
  });

  await test.step("with only the documented members, all of their values are shown", async () => {
    const fileInfo = await loadFileInfo(ana, id);
    const pickMembers = (record: object, names: string) => Object.fromEntries(Object.entries(record).filter(([name]) => names.split(" ").includes(name)));
    const genres = [
      ["Synthwave", 0.94],
      ["Ambient", 0.41],
    ];
    const documented = {
      ai_tags: { ...pickMembers(fileInfo.ai_tags, "bpm instruments moods key"), genres },
      common: pickMembers(
        fileInfo.common,
        "id name size url compressed_file_url account_id project_id file_team_id is_blind_drop is_shared status transcoding_status",
      ),
      file_info: {
        ...pickMembers(
          fileInfo.file_info,
          "object audio_encoding bitrate bits_per_sample bpm duration key number_of_chanels number_of_samples samplerate wave",
        ),
        annotations: "not JSON at all",
      },
    };
    const interception = await network.reply(page, FILE_INFO_URL, { json: documented });
    const peakRequests = network.recordRequests(page, /\/peaks/);
    await page.goto(address);
    await expect(playbackPosition(page)).toHaveText("0:00.0");
    await expect.poll(() => countDrawnPixels(page)).toBeGreaterThan(1_000);
    await expect(page.getByRole("main")).toContainText("not JSON at all");
    await expect(page.getByRole("listitem").filter({ hasText: "Synthwave: 94%" })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("No data available.");
    await playButton(page).click();
    await expect(playbackPosition(page)).not.toHaveText("0:00.0");
    expect(peakRequests).toEqual([]);
    await interception.end();
  });

  await test.step("audio that this browser cannot play shows an error, and the page stays usable", async () => {
    pageErrors.allow(/compressed|original/);
    pageErrors.allow(statusError(404));
    await network.reply(page, /\/(compressed|original)$/, { status: 404, body: "" });
    await page.goto(address);
    await playButton(page).click();
    await expect(page.getByRole("alert")).toContainText("The file couldn't be loaded");
    await expect(playButton(page)).toBeVisible();
  });
});

test("the waveform is drawn before the rest of the page, which then does not move it", async ({ organization, pair: { ana, project }, open }) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  for (const size of [
    { width: 1_280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await open(ana, "/icon.svg", { viewport: size });
    await page.addInitScript(() => {
      const recorded: { top: number; isDrawn: boolean; hasHeader: boolean }[] = [];
      Object.assign(window, { recorded });
      const hasPixels = (canvas: HTMLCanvasElement | null) =>
        canvas
          ?.getContext("2d")
          ?.getImageData(0, 0, canvas.width, canvas.height)
          .data.some((value) => value > 0) ?? false;
      new MutationObserver(() => {
        const waveform = document.querySelector("[data-testid=detail-waveform]");
        if (!waveform) return;
        recorded.push({
          top: waveform.getBoundingClientRect().top,
          isDrawn: recorded.length > 0 || hasPixels(waveform.querySelector("canvas")),
          hasHeader: document.querySelector("main h1") !== null,
        });
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${ana.url}/files/${id}`);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("region", { name: "Details of the file" })).toBeVisible();
    const recorded = await page.evaluate(() => (window as unknown as { recorded: { top: number; isDrawn: boolean; hasHeader: boolean }[] }).recorded);
    expect(recorded[0]).toMatchObject({ isDrawn: true, hasHeader: false });
    expect(new Set(recorded.map(({ top }) => top)).size).toBe(1);
    await page.close();
  }
});

test("a file that is missing or not accessible shows File not found and nothing else", async ({
  organization,
  pair: { ana, project },
  createPerson,
  open,
  pageErrors,
}) => {
  pageErrors.allow(statusError(404));
  const id = await createProcessedFile(organization, ana, project, "secret plan.txt");
  const guest = await createPerson("Gil");
  const page = await open(guest, `/files/${id}`);
  await expect(page.getByRole("heading", { name: "File not found" })).toBeAttached();
  await expect(page.locator("body")).not.toContainText("secret plan");
  await page.goto(`${guest.url}/files/nonsense`);
  await expect(page.getByRole("heading", { name: "File not found" })).toBeAttached();
});
