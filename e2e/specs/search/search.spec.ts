import type { Page } from "@playwright/test";
import { createMessage, createProject, joinByInvite } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { createComment } from "../../fixtures/comments.ts";
import { dateFromToday } from "../../fixtures/dates.ts";
import { setStatus } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { message, rail, selectOption } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { writeTask } from "../../fixtures/tasks.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const field = (page: Page) => page.getByRole("searchbox", { name: "Search all projects" });
const results = (page: Page, kind: string) => page.getByRole("list", { name: kind }).getByRole("listitem");
const filter = (page: Page, name: string) => page.getByRole("search").getByRole("button", { name: new RegExp(`${name}$`) });
const found = (page: Page, text: string | RegExp) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });

test("the palette finds what is in any project, the current one's first, and leads to the search page, all by keyboard", async ({
  pair: { ana, ben, project },
  open,
}) => {
  const word = `zephyr${project.id}`;
  const elsewhere = await createProject(ana, `Elsewhere ${project.id}`);
  const target = await createMessage(ben, project.id, `The ${word} take is the one`);
  await createMessage(ana, elsewhere.id, `A newer ${word} in the other project`);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, word)).toBeVisible();

  await test.step("the current project's messages come first", async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(word);
    const options = page.getByRole("option");
    await expect(options).toHaveText([new RegExp(`The ${word} take is the one${ben.name} · ${project.name}`), /A newer/, `Show all results for “${word}”`]);
    await expect(options.first()).toHaveAttribute("aria-selected", "true");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat/${target.id}`);
  });

  await test.step("the last entry shows all results", async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(word);
    await expect(page.getByRole("option", { name: /A newer/ })).toBeVisible();
    await page.keyboard.press("ArrowUp");
    await expect(page.getByRole("option", { selected: true })).toHaveText(`Show all results for “${word}”`);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${ana.url}/search?q=${word}`);
    await expect(field(page)).toBeFocused();
    await expect(results(page, "Messages")).toHaveText([/A newer/, /is the one/]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/projects/${elsewhere.id}/chat/`));
    await page.goBack();
    await expect(field(page)).toHaveValue(word);
  });
});

test("the search page finds files by name, tempo, key and status, people, tasks and comments; filters narrow it", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
  pageErrors,
}) => {
  const word = `mistral${project.id}`;
  const fileId = await createProcessedFile(organization, ana, project, `${word}_mix.wav`);
  await createComment(ben, fileId, `${word}: too much reverb`, { startSeconds: 1 });
  await writeTask(ben, fileId, `Master ${word}`, { assignee: ana });
  for (let index = 1; index <= 7; index += 1) await createMessage(ben, project.id, `${word} number ${index}`);
  await setStatus(ana, project, fileId, "In review");
  const page = await open(ana, "/search");
  await expect(field(page)).toBeFocused();
  await expect(page.getByText("Find anything")).toBeVisible();
  await expectAccessible(page);

  await test.step("every kind has its results, and one kind can be read on", async () => {
    await field(page).fill(word);
    await expect(results(page, "Files")).toHaveText([new RegExp(`${word}_mix.wav.*In review`)]);
    await expect(results(page, "Tasks")).toHaveText([new RegExp(`Master ${word}.*${ana.name}`)]);
    await expect(results(page, "Comments")).toHaveText([/too much reverb.*at 0:01/]);
    await expect(results(page, "Messages")).toHaveCount(5);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Show all messages" }).click();
    await expect(page.getByRole("link", { name: "Messages", exact: true })).toHaveAttribute("aria-current", "page");
    await expect(results(page, "Messages")).toHaveCount(7);
    await expect(page.getByRole("status").filter({ hasText: "7 results" })).toBeVisible();
  });

  await test.step("filters by person, project and time, which the URL has", async () => {
    await page.getByRole("link", { name: "All", exact: true }).click();
    await selectOption(filter(page, "From"), ben.name);
    await expect(results(page, "Files")).toHaveCount(0);
    await expect(results(page, "Comments")).toHaveCount(1);
    await page.getByLabel("Since").fill(dateFromToday(2));
    await expect(page.getByText(`No results for “${word}”`).last()).toBeVisible();
    await page.reload();
    await expect(page.getByText(`No results for “${word}”`).last()).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(results(page, "Files")).toHaveCount(1);
    await selectOption(filter(page, "Project"), project.name);
    await expect(page).toHaveURL(new RegExp(`project=${project.id}`));
    await expect(results(page, "Files")).toHaveCount(1);
  });

  await test.step("a failed search can be repeated", async () => {
    pageErrors.allow(statusError(500));
    const failure = await network.replyWithProblem(page, /\/api\/v2\/search/, 500, "Broken");
    await field(page).fill(`${word} reverb`);
    await expect(page.getByText("Search failed")).toBeVisible({ timeout: 15_000 });
    await failure.end();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(results(page, "Comments")).toHaveCount(1);
  });
});

test("people find nothing of projects that they do not see; on a phone the filters open on demand", async ({ organization, pair: { ana, project }, open }) => {
  const word = `secret${project.id}`;
  await createMessage(ana, project.id, `${word} for everybody here`);
  const hidden = await createProject(ana, `Hidden ${project.id}`);
  await createMessage(ana, hidden.id, `${word} for nobody else`);
  const guest = await joinByInvite(organization.owner, `Guest ${project.id}`, "guest", [project.id]);
  const page = await open(guest, "/", PHONE);
  await rail(page).getByRole("button", { name: "Search" }).tap();
  await page.getByRole("combobox").fill(word);
  await page.getByRole("option", { name: /Show all results for/ }).tap();
  await expect(found(page, "for everybody here")).toHaveCount(1);
  await expect(found(page, "for nobody else")).toHaveCount(0);
  await expect(filter(page, "Project")).toBeHidden();
  await page.getByRole("button", { name: "Filters" }).tap();
  await expect(filter(page, "Project")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});
