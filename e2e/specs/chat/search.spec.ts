import type { Page } from "@playwright/test";
import { deleteMessage, editMessage, searchMessages } from "../../../contract/operations/messages.ts";
import { call, createMessage } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { importMessages, longHistory } from "../../fixtures/message-history.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, message, selectOption } from "../../fixtures/pages.ts";
import { delayRendering } from "../../fixtures/rendering.ts";

const searchPane = (page: Page) => page.getByRole("region", { name: "Search this chat" });
const searchField = (page: Page) => searchPane(page).getByRole("searchbox", { name: "Keywords" });
const results = (page: Page) => searchPane(page).getByRole("list", { name: "Search results" }).getByRole("link");

test("a search result leads to a distant message while the search stays open, by keyboard too; a failed search can be retried", async ({
  organization,
  pair: { ana, ben, project },
  open,
  pageErrors,
  network,
}) => {
  await createMessage(ben, project.id, "The Glockenspiel is too loud");
  importMessages(organization.service, project.id, longHistory(600, [ana.id, ben.id], Date.now()), [ana.id]);
  await createMessage(ana, project.id, "which glockenspiel?");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "which glockenspiel?")).toBeInViewport();

  await test.step("a search result leads to a distant message, and the search stays open", async () => {
    await page.getByRole("button", { name: "Search this chat" }).click();
    await expect(searchField(page)).toBeFocused();
    await expect(searchPane(page)).toContainText("Find a message");
    await searchField(page).fill("GLOCK");
    await expect(results(page)).toHaveCount(2);
    await expect(searchPane(page).getByRole("status")).toHaveText("2 results");
    await expect(searchPane(page).locator("mark")).toHaveText(["glockenspiel", "Glockenspiel"]);
    await expect(page).toHaveURL(/\/chat\?search=GLOCK$/);
    // Searching does not scroll the chat.
    await expect(message(page, "which glockenspiel?")).toBeInViewport();
    await results(page).last().click();
    await expect(message(page, "The Glockenspiel is too loud")).toBeInViewport();
    await expect(page).toHaveURL(/\/chat\/\d+\?search=GLOCK$/);
    await expect(results(page)).toHaveCount(2);
    // Changing the search keeps the position.
    await searchField(page).fill("nobody said this");
    await expect(searchPane(page)).toContainText("No results");
    await expect(message(page, "The Glockenspiel is too loud")).toBeInViewport();
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await expect(message(page, "which glockenspiel?")).toBeInViewport();
    await expect(searchPane(page)).toBeVisible();
    await page.getByRole("button", { name: "Close search" }).click();
    await expect(searchPane(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/chat$/);
    await expect(page.getByRole("button", { name: "Search this chat" })).toBeFocused();
  });

  await test.step("a search result is reached by keyboard alone", async () => {
    await composer(page).press("/");
    await expect(composer(page)).toHaveValue("/");
    await composer(page).fill("");
    await page.getByRole("button", { name: "Jump to a date", exact: true }).focus();
    await page.keyboard.press("/");
    await expect(searchField(page)).toBeFocused();
    await page.keyboard.type("glock");
    await expect(page).toHaveURL(/search=glock/);
    await expect(results(page)).toHaveCount(2);
    await page.keyboard.press("ArrowDown");
    await expect(results(page).first()).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(results(page).last()).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/chat\/\d+\?search=glock$/);
    await expect(results(page).last()).toHaveAttribute("aria-current", "true");
    await page.keyboard.press("Escape");
    await expect(searchPane(page)).toHaveCount(0);
  });

  await test.step("a failed search shows an error and can be retried", async () => {
    pageErrors.allow(statusError(503));
    const down = await network.replyWithProblem(page, /\/messages\?/, 503, "Down");
    await page.goto(`${ana.url}/projects/${project.id}/chat?search=nowhere`);
    await expect(searchPane(page)).toContainText("Search failed");
    await down.end();
    await searchPane(page).getByRole("button", { name: "Try again" }).click();
    await expect(searchPane(page)).toContainText("No results");
  });
});

test("author, date, links and files filter the results, which follow changes of their messages, also on a phone", async ({
  pair: { ana, ben, project },
  open,
}) => {
  await createMessage(ana, project.id, "bass notes: https://studio.example/bass");
  const { id } = await createMessage(ben, project.id, `bass is hot. ${"word ".repeat(200)} bass at last`);
  const page = await open(ana, `/projects/${project.id}/chat?search=bass`);

  await test.step("author, date, links and files filter the results, and the URL restores the search", async () => {
    await expect(results(page)).toHaveCount(2);
    await selectOption(searchPane(page).getByRole("button", { name: "From" }), ben.name);
    await expect(results(page)).toHaveText([/bass is hot/]);
    await selectOption(searchPane(page).getByRole("button", { name: "Contains" }), "Links");
    await expect(searchPane(page)).toContainText("No results");
    await searchPane(page).getByRole("button", { name: "Clear filters" }).click();
    await expect(results(page)).toHaveCount(2);
    await selectOption(searchPane(page).getByRole("button", { name: "Contains" }), "Links");
    await expect(results(page)).toHaveText([/bass notes/]);
    await searchPane(page).getByLabel("Until").fill("2020-01-01");
    await expect(searchPane(page)).toContainText("No results");
    await expect(page).toHaveURL(/search=bass&to=2020-01-01&has=link$/);
    await page.reload();
    await expect(searchField(page)).toHaveValue("bass");
    await expect(searchPane(page).getByLabel("Until")).toHaveValue("2020-01-01");
    await expect(searchPane(page)).toContainText("No results");
    await searchPane(page).getByRole("button", { name: "Clear filters" }).click();
    await expect(results(page)).toHaveCount(2);
  });

  await test.step("on a phone the search covers the chat and leads into it, accessibly", async () => {
    // Covers the dark theme on a desktop and the light one on a phone.
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    // The search covers the chat now, so a result closes it.
    await expect(page.locator("[inert]").filter({ has: page.locator("[role=log]") })).toHaveCount(1);
    await results(page).last().click();
    await expect(searchPane(page)).toHaveCount(0);
    await expect(message(page, "bass notes")).toBeInViewport();
    await page.goBack();
    await expect(results(page)).toHaveCount(2);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  await test.step("an edited or deleted message changes in the results, and hostile text finds nothing and breaks nothing", async () => {
    await call(ben, editMessage, { params: { project_id: project.id, message_id: id }, body: { body: "bass is fine" } });
    await expect(results(page)).toHaveText([/bass is fine/, /bass notes/]);
    await call(ben, deleteMessage, { params: { project_id: project.id, message_id: id } });
    await expect(results(page)).toHaveText([/bass notes/]);
    for (const hostile of ['"', "<script>alert(1)</script>", "%_\\", "'; drop table messages; --"]) {
      await searchField(page).fill(hostile);
      await expect(searchPane(page)).toContainText("No results");
      await expect(page).toHaveURL((url) => url.searchParams.get("search") === hostile);
    }
    expect((await call(ana, searchMessages, { params: { project_id: project.id }, query: { q: "fine" } })).data).toEqual([]);
  });
});

test("text typed right after the key that opens the search goes to its field, before React has rendered a navigation or more code has loaded", async ({
  pair: { ana, project },
  open,
  network,
}) => {
  await createMessage(ana, project.id, "earlier take");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await message(page, "earlier take").getByRole("article").focus();
  const laterModules = await network.pause(page, /\.js$/);
  const rendering = await delayRendering(page);
  await page.keyboard.press("/");
  await page.keyboard.type("earlier");
  await expect(searchField(page)).toHaveValue("earlier");
  // The search is written to the URL a quarter of a second after the last key.
  await expect(page).toHaveURL(/search=earlier$/);
  await rendering.release();
  await laterModules.end();
  await expect(results(page)).toHaveText([/earlier take/]);
  await expect(page.getByRole("textbox", { name: "Edit message" })).toHaveCount(0);
  await expect(composer(page)).toHaveValue("");
});

test("a search that is closed or left right after typing stays closed or left, before React has rendered it", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, "/icon.svg");
  await page.clock.install();
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(composer(page)).toBeFocused();
  const typeThen = async (leave: () => Promise<void>, url: RegExp) => {
    await page.getByRole("button", { name: "Search this chat" }).click();
    await expect(searchField(page)).toBeFocused();
    await page.keyboard.type("bass");
    const rendering = await delayRendering(page);
    await leave();
    await expect(page).toHaveURL(url);
    // The search is written to the URL a quarter of a second after the last key.
    await page.clock.fastForward(300);
    await rendering.release();
    await expect(searchPane(page)).toHaveCount(0);
    await expect(page).toHaveURL(url);
  };

  await test.step("a search closed with Escape stays closed", () => typeThen(() => page.keyboard.press("Escape"), /\/chat$/));

  await test.step("a search left by a link stays left", async () => {
    await typeThen(() => page.getByRole("link", { name: "Members", exact: true }).click(), /\/members$/);
    await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
  });
});
