/** The drawn pages of a PDF: long, failing and hostile ones. */
import type { Page } from "@playwright/test";
import { createPdf } from "../../../server/media/testing/create-pdf.ts";
import { upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/test.ts";

const drawn = (page: Page, number: number) => page.locator(`[data-page='${number}'] [data-drawn=true] canvas`);
const pages = (page: Page, name: string) => page.getByRole("region", { name: `Pages of ${name}` });

test("a PDF of 1,000 pages opens at a page without loading or drawing the others", async ({ pair: { ana, project }, open }) => {
  const bytes = createPdf(Array.from({ length: 1_000 }, (_, index) => `Take ${index + 1} of the session ${"-".repeat(2_000)}`));
  const id = await upload(ana, project, "takes.pdf", bytes);
  await waitUntilProcessed(ana, id);
  const page = await open(ana, `/files/${id}?page=777&find=session`);
  let loaded = 0;
  page.on("response", (response) => {
    if (response.url().includes("/content") || response.status() === 206) loaded += Number(response.headers()["content-length"]);
  });
  await page.reload();
  await expect(drawn(page, 777)).toBeVisible();
  await expect(page.locator("[data-page='777'] mark")).toHaveText("session");
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("777");
  expect(loaded).toBeGreaterThan(0);
  expect(loaded).toBeLessThan(bytes.length / 2);

  const field = page.getByRole("textbox", { name: "Page" });
  for (const number of [1, 500, 1_000]) {
    await field.fill(String(number));
    await field.press("Enter");
    await expect(drawn(page, number)).toBeVisible();
    await expect(page.locator(`[data-page='${number}'] .pdf-text`)).toContainText(`Take ${number} of`);
    expect(await page.locator("canvas").count()).toBeLessThan(8);
  }
});

test("a PDF whose bytes cannot be loaded shows its text, and what is not a PDF inside says why", async ({ pair: { ana, project }, open, pageErrors }) => {
  pageErrors.allow(/status of 500/);
  const id = await upload(ana, project, "brief.pdf", createPdf(["The chorus comes twice."]));
  await waitUntilProcessed(ana, id);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await page.route(/\/content|\/original/, (route) => route.fulfill({ status: 500 }));
  await page.goto(`${ana.url}/files/${id}`);
  await expect(page.getByText("The pages can't be shown here. This is their text.")).toBeVisible();
  await expect(page.getByText("The chorus comes twice.")).toBeVisible();
  await expect(page.getByText("Page 1 of 1")).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(drawn(page, 1)).toBeVisible();

  const broken = await upload(ana, project, "broken.pdf", "%PDF-1.7\nnothing");
  await waitUntilProcessed(ana, broken);
  await page.goto(`${ana.url}/files/${broken}`);
  await expect(page.getByText("The document is damaged")).toBeVisible();
});

test("pages whose bytes cannot be loaded are loaded once more by a button, and the others stay", async ({ pair: { ana, project }, open, pageErrors }) => {
  pageErrors.allow(/status of 500/);
  const bytes = createPdf(Array.from({ length: 1_000 }, (_, index) => `Take ${index + 1} of the session ${"-".repeat(2_000)}`));
  const id = await upload(ana, project, "takes.pdf", bytes);
  await waitUntilProcessed(ana, id);
  const page = await open(ana, `/files/${id}`);
  await expect(drawn(page, 1)).toBeVisible();
  await page.route(/\/content|\/original/, (route) => route.fulfill({ status: 500 }));
  const field = page.getByRole("textbox", { name: "Page" });
  await field.fill("500");
  await field.press("Enter");
  await expect(page.getByText("Some pages couldn't be loaded.")).toBeVisible();
  await field.fill("1");
  await field.press("Enter");
  await expect(drawn(page, 1)).toBeVisible();
  await field.fill("500");
  await field.press("Enter");
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(drawn(page, 500)).toBeVisible();
  await expect(page.getByText("Some pages couldn't be loaded.")).toHaveCount(0);
});

test("scripts of a PDF do not run, and only its links to the web open, in another tab", async ({ pair: { ana, project }, open }) => {
  const script = 'app.alert("hello"); fetch("https://example.com/"); document.title = "taken"';
  for (const [name, link, count] of [
    ["web.pdf", "https://example.com/brief", 1],
    ["script.pdf", "javascript:document.title='taken'", 0],
  ] as const) {
    const id = await upload(ana, project, name, createPdf(["Read more"], { link, script }));
    await waitUntilProcessed(ana, id);
    const page = await open(ana, `/files/${id}`);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).origin));
    page.on("dialog", () => requests.push("dialog"));
    await page.reload();
    await expect(drawn(page, 1)).toBeVisible();
    await expect(page.locator("[data-page='1'] .pdf-text")).toContainText("Read more");
    const links = pages(page, name).getByRole("link");
    await expect(links).toHaveCount(count);
    if (count === 1) await expect(links).toHaveAttribute("rel", "noopener noreferrer nofollow");
    expect(new Set(requests)).toEqual(new Set([new URL(ana.url).origin]));
    await expect(page).toHaveTitle(new RegExp(name));
  }
});
