import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { createProject } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { songWithLyrics } from "../../fixtures/media.ts";
import { delayReading, endDelay } from "../../fixtures/documents.ts";
import { PROCESSING, upload, uploadVersion, waitUntilProcessed } from "../../fixtures/files.ts";
import { expect, test, uniqueName } from "../../fixtures/test.ts";

const BRIEF = readFileSync(new URL("../../../server/media/testing/documents/pdftex.pdf", import.meta.url));
const SENTENCE = "Deliver the master at minus fourteen LUFS";

const drawn = (page: Page, number: number) => page.locator(`[data-page='${number}'] [data-drawn=true] canvas`);
const marks = (page: Page, number: number) => page.locator(`[data-page='${number}'] mark`);

test("a sentence of a PDF is found in the palette and by the search, opens at its page, and not for a guest of another project", async ({
  pair: { ana, project },
  organization: { owner },
  createPerson,
  open,
}, { testId }) => {
  const id = await upload(ana, project, "brief.pdf", BRIEF);
  await waitUntilProcessed(ana, id);
  const page = await open(ana, `/projects/${project.id}/chat`);

  await test.step("the palette opens the page with the words marked", async () => {
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByRole("option").first()).toBeVisible();
    await page.keyboard.type(SENTENCE);
    await page.getByRole("option").filter({ hasText: "brief.pdf · Page 3" }).click();
    await expect(page).toHaveURL(new RegExp(`/files/${id}\\?page=3&find=`));
    await expect(drawn(page, 3)).toBeVisible();
    await expect(marks(page, 3).first()).toHaveText("Deliver");
    await expect(marks(page, 3).first()).toBeInViewport();
    await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("3");
    await expectAccessible(page);
  });

  await test.step("the pages are gone through, and text is found in them", async () => {
    await page.getByRole("button", { name: "Previous" }).click();
    await expect(drawn(page, 2)).toBeVisible();
    await expect(page.locator("[data-page='2'] .pdf-text")).toContainText("The snare drum answers");
    await page.getByRole("searchbox", { name: "Find in this document" }).fill("second column");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Page 1/ }).click();
    await expect(marks(page, 1).first()).toBeInViewport();
  });

  await test.step("a page is zoomed, and its text is shown instead", async () => {
    const width = async () => (await page.locator("[data-page='1']").boundingBox())!.width;
    const fitted = await width();
    await page.getByRole("region", { name: "Pages of brief.pdf" }).press("+");
    await expect.poll(width).toBeCloseTo(fitted * 1.25, -1);
    await page.getByRole("button", { name: "Fit width" }).click();
    await expect.poll(width).toBe(fitted);
    await page.getByRole("button", { name: "Show text" }).click();
    await expect(page.getByText("Page 3 of 3")).toBeVisible();
    await expect(page.locator("[data-page='3']")).toContainText("minus fourteen");
  });

  await test.step("the page of the search lists it under Documents, on a phone too", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${ana.url}/search?q=${encodeURIComponent(SENTENCE)}&kind=document`);
    const result = page.getByRole("link", { name: /brief\.pdf/ });
    await expect(result.first()).toContainText("Page 3");
    await expectAccessible(page);
  });

  const other = await createProject(owner, uniqueName("Other", testId));
  const guest = await createPerson("Gus", "guest", [other.id]);
  const theirs = await open(guest, `/search?q=${encodeURIComponent(SENTENCE)}`);
  await expect(theirs.getByRole("paragraph").filter({ hasText: "No results for" })).toBeVisible();
});

test("lyrics and notes in the tags of audio are shown with the found words marked", async ({ pair: { ana, project }, open }) => {
  const lyrics = [...Array.from({ length: 60 }, (_, line) => `Line ${line + 1} of the verse`), "The lanterns drift over the harbor"].join("\n");
  const id = await upload(ana, project, "harbor.mp3", songWithLyrics(lyrics, "Second take, bring the <oboe> up."));
  await waitUntilProcessed(ana, id);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByRole("option").first()).toBeVisible();
  await page.keyboard.type("lanterns drift");
  await page.getByRole("option").filter({ hasText: "harbor.mp3 · Lyrics" }).click();
  const section = page.getByRole("region", { name: "Lyrics and notes" });
  await expect(section.locator("mark")).toHaveText(["lanterns", "drift"]);
  await expect(section.locator("mark").first()).toBeInViewport();
  await expect(section).toContainText("Second take, bring the <oboe> up.");
  await expectAccessible(page);
  // The lyrics, which stand above, arrive after the notes.
  await page.route("**/pages/1?*", async (route) => {
    await expect(section.locator("mark")).toBeInViewport();
    await route.continue();
  });
  await page.goto(`${ana.url}/files/${id}?page=2&find=oboe`);
  await expect(section.locator("mark")).toHaveText("oboe");
  await expect(section).toContainText("Line 60 of the verse");
  await expect(section.locator("mark")).toBeInViewport();
});

test("a document from before says that its text is being read, and shows it once it was", async ({
  pair: { ana, project },
  organization: { service },
  open,
}) => {
  const id = await upload(ana, project, "before.txt", "The ondes are out of tune.");
  await waitUntilProcessed(ana, id);
  delayReading(service, id);
  const page = await open(ana, `/files/${id}`);
  await expect(page.getByText("The text of this document is being read.")).toBeVisible();
  endDelay(service, id);
  await expect(page.getByText("The ondes are out of tune.")).toBeVisible(PROCESSING);
});

test("find in an earlier version looks in that version", async ({ pair: { ana, project }, open }) => {
  const id = await upload(ana, project, "contract.txt", "The advance is five hundred.");
  await waitUntilProcessed(ana, id);
  await uploadVersion(ana, id, "The advance is six hundred.");
  await waitUntilProcessed(ana, id);
  const page = await open(ana, `/files/${id}?v=1`);
  await expect(page.getByText("The advance is five hundred.")).toBeVisible();
  const field = page.getByRole("searchbox", { name: "Find in this document" });
  await field.fill("five hundred");
  await field.press("Enter");
  await expect(page.getByText("1 match", { exact: true })).toBeVisible();
  await field.fill("six");
  await field.press("Enter");
  await expect(page.getByText("No matches", { exact: true })).toBeVisible();
});
