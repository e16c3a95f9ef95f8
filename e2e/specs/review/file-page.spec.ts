import type { Page } from "@playwright/test";
import type { FileInfoAnswer } from "../../../contract/records.ts";
import { INFO, miniPlayer, play, position, sound } from "../../fixtures/file-page.ts";
import { giveStatus, infoOf, processed, sendFiles, stand, upload } from "../../fixtures/files.ts";
import { answered } from "../../fixtures/guard.ts";
import { png } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/test.ts";

const slider = (page: Page, name: string) => page.getByRole("slider", { name: `Position in ${name}` });

/** Colors of the drawing's canvases as they are on the screen: how many points are not empty. */
const drawn = (page: Page) =>
  slider(page, "mix.wav").evaluate((element) => {
    const host = [...element.querySelectorAll("*")].find(({ shadowRoot }) => shadowRoot)?.shadowRoot;
    return [...(host?.querySelectorAll<HTMLCanvasElement>(".canvases canvas") ?? [])].reduce((sum, canvas) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      return sum + data.filter((value, index) => index % 4 === 3 && value > 0).length;
    }, 0);
  });

test("a link to a position opens there, with the waveform before any byte of sound", async ({ pair: { ana, ben, project }, open }) => {
  const id = await sound(ana, project);
  const page = await open(ben, "/settings/profile");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${ben.url}/files/${id}?t=13.4`);
  await expect(position(page)).toHaveText("0:13.4");
  await expect(slider(page, "mix.wav")).toHaveAttribute("aria-valuetext", "13 seconds of 20 seconds");
  await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
  await expect.poll(() => drawn(page)).toBeGreaterThan(1_000);
  expect(asked.filter((url) => /\/(original|compressed)/.test(url))).toEqual([]);
  await expect(page.getByRole("main")).toContainText("44.1 kHz");
  await expect(page.getByRole("main")).toContainText("No tagging model is installed.");
});

test("keys steer the sound, a click on the waveform seeks", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, `/files/${await sound(ana, project)}`);
  await expect(position(page)).toHaveText("0:00.0");
  for (const [key, at] of [
    ["5", "0:10.0"],
    ["ArrowRight", "0:15.0"],
    ["j", "0:05.0"],
    ["End", "0:20.0"],
    ["ArrowLeft", "0:15.0"],
    ["Home", "0:00.0"],
    ["l", "0:10.0"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(position(page), key).toHaveText(at);
  }
  const box = (await slider(page, "mix.wav").boundingBox())!;
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  await expect(position(page)).toHaveText(/0:0(4\.9|5\.0)/);
  await page.keyboard.press(" ");
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await page.keyboard.press("k");
  await expect(play(page)).toBeVisible();
});

test("what plays goes on while its person moves between views", async ({ pair: { ana, project }, open }) => {
  const id = await sound(ana, project, "mix.wav", 40);
  const page = await open(ana, `/files/${id}?t=10`);
  await play(page).click();
  await expect(position(page)).toHaveText(/0:1[1-9]/);
  await expect(miniPlayer(page)).toHaveCount(0);
  await page.getByRole("link", { name: "In chat" }).click();
  await expect(miniPlayer(page).getByRole("button", { name: "Pause mix.wav" })).toBeVisible();
  const here = slider(page, "mix.wav");
  const before = Number(await here.getAttribute("aria-valuenow"));
  await expect.poll(async () => Number(await here.getAttribute("aria-valuenow"))).toBeGreaterThan(before);
  await page.getByRole("link", { name: "Settings" }).first().click();
  await expect(miniPlayer(page).getByRole("button", { name: "Pause mix.wav" })).toBeVisible();
  // The view that comes takes the focus once.
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeFocused();
  await here.press("End");
  await expect(here).toHaveAttribute("aria-valuenow", "40");
  await here.press("ArrowLeft");
  await expect(here).toHaveAttribute("aria-valuenow", /3[5-9]/);
  await miniPlayer(page).getByRole("link", { name: "Open mix.wav" }).click();
  await expect(position(page)).toHaveText(/0:(3[5-9]|40)/);
  await expect(miniPlayer(page)).toHaveCount(0);
});

test("the mini player is closed by hand", async ({ pair: { ana, project }, open }) => {
  const id = await sound(ana, project);
  const page = await open(ana, `/files/${id}`);
  await play(page).click();
  await page.getByRole("link", { name: "In chat" }).click();
  await miniPlayer(page).getByRole("button", { name: "Close the player" }).click();
  await expect(miniPlayer(page)).toHaveCount(0);
});

test("another sound goes on until this one is played", async ({ pair: { ana, project }, open }) => {
  const [first, second] = [await sound(ana, project, "first.wav", 40), await sound(ana, project, "mix.wav")];
  await sendFiles(ana, project, [first, second], "Both");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await page.getByRole("main").getByRole("button", { name: "Play first.wav" }).click();
  await page.getByRole("main").getByRole("link", { name: "mix.wav", exact: true }).click();
  await expect(position(page)).toHaveText("0:00.0");
  await page.keyboard.press("5");
  await expect(position(page)).toHaveText("0:10.0");
  await expect(miniPlayer(page).getByRole("button", { name: "Pause first.wav" })).toBeVisible();
  await play(page).click();
  await expect(miniPlayer(page)).toHaveCount(0);
  await expect(position(page)).toHaveText(/0:1\d/);
});

test("with the documented members alone everything that they tell is there", async ({ pair: { ana, project }, open }) => {
  const id = await sound(ana, project);
  const whole = await infoOf(ana, id);
  const page = await open(ana, "/settings/profile");
  const only = (record: object, names: string) => Object.fromEntries(Object.entries(record).filter(([name]) => names.split(" ").includes(name)));
  const documented = {
    ai_tags: {
      ...only(whole.ai_tags, "bpm instruments moods key"),
      genres: [
        ["Synthwave", 0.94],
        ["Ambient", 0.41],
      ],
    },
    common: only(whole.common, "id name size url compressed_file_url account_id project_id file_team_id is_blind_drop is_shared status transcoding_status"),
    file_info: {
      ...only(whole.file_info, "object audio_encoding bitrate bits_per_sample bpm duration key number_of_chanels number_of_samples samplerate wave"),
      annotations: "not JSON at all",
    },
  } as unknown as FileInfoAnswer;
  await page.route(INFO, (route) => route.fulfill({ json: documented }));
  const peaks: string[] = [];
  page.on("request", (request) => request.url().includes("/peaks") && peaks.push(request.url()));
  await page.goto(`${ana.url}/files/${id}`);
  await expect.poll(() => drawn(page)).toBeGreaterThan(1_000);
  await expect(page.getByRole("main")).toContainText("not JSON at all");
  await expect(page.getByRole("listitem").filter({ hasText: "Synthwave: 94 %" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("The service tells none.");
  await play(page).click();
  await expect(position(page)).not.toHaveText("0:00.0");
  expect(peaks).toEqual([]);
});

test("a sound that this browser cannot play says so, and the page stands", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(/compressed|original/);
  guard.allow(answered(404));
  const id = await sound(ana, project);
  const page = await open(ana, `/files/${id}`);
  await page.route(/\/(compressed|original)$/, (route) => route.fulfill({ status: 404, body: "" }));
  await play(page).click();
  await expect(page.getByRole("alert")).toContainText("The sound cannot be played");
  await expect(play(page)).toBeVisible();
});

test("a file that failed says why and runs again by hand", async ({ pair: { ana, project }, house, open }) => {
  const id = await sound(ana, project, "mix.wav", 4);
  stand(house.service, id, { transcoding_status: "failed", failure: "The sound stops in the middle: the file is cut short." });
  const page = await open(ana, `/files/${id}`);
  await expect(page.getByRole("alert")).toContainText("cut short");
  await page.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByText("The file could not be processed")).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: /processed/ })).toHaveCount(0, { timeout: 30_000 });
  expect((await infoOf(ana, id)).common.transcoding_status).toBe("transcoded");
});

test("a status that somebody sets is on the other's page at once", async ({ pair: { ana, ben, project }, open }) => {
  const id = await sound(ana, project, "mix.wav", 4);
  const page = await open(ben, `/files/${id}`);
  await expect(page.getByRole("button", { name: "Status of mix.wav: No status" })).toBeVisible();
  await giveStatus(ana, project, id, "Approved");
  await expect(page.getByRole("button", { name: "Status of mix.wav: Approved" })).toBeVisible();
});

test("pictures and documents have their page", async ({ pair: { ana, project }, open }) => {
  const [picture, text] = [await upload(ana, project, "cover.png", png(900, 600)), await upload(ana, project, "brief.txt", "Deliver at 48 kHz")];
  await Promise.all([processed(ana, picture), processed(ana, text)]);
  const page = await open(ana, `/files/${picture}`);
  const image = page.getByRole("img", { name: "Picture cover.png" });
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(900);
  await expect(page.getByRole("main")).toContainText("900 × 600");
  await expect(page.getByRole("region", { name: "Status history" })).toContainText("Nobody has set a status yet.");
  await page.goto(`${ana.url}/files/${text}`);
  await expect(page.getByRole("main")).toContainText("There is no preview of this kind of file.");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("main").getByRole("link", { name: "Download" }).last().click()]);
  expect(download.suggestedFilename()).toBe("brief.txt");
});

test("a file that is not there, or not for this person, is told without a word more", async ({ pair: { ana, project }, newPerson, open, guard }) => {
  guard.allow(answered(404));
  const id = await upload(ana, project, "secret plan.txt", "not for everybody");
  const guest = await newPerson("Gil");
  const page = await open(guest, `/files/${id}`);
  await expect(page.getByRole("heading", { name: "This file is not here" })).toBeAttached();
  await expect(page.locator("body")).not.toContainText("secret plan");
  await page.goto(`${guest.url}/files/nonsense`);
  await expect(page.getByRole("heading", { name: "This file is not here" })).toBeAttached();
});
