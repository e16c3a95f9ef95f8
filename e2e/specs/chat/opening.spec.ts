import { createMessage } from "../../fixtures/api.ts";
import { message } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a chat opens with few scripts, whose loading starts with the page and which load once", async ({ pair: { ana, project }, open }) => {
  await createMessage(ana, project.id, "the first take is in");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "the first take is in")).toBeVisible();
  const { named, scripts } = await page.evaluate(() => ({
    named: document.querySelector<HTMLMetaElement>('meta[name="chat-code"]')?.content.split(" ") ?? [],
    scripts: performance
      .getEntriesByType("resource")
      .map((entry) => ({ path: new URL(entry.name).pathname }))
      .filter(({ path }) => path.endsWith(".js")),
  }));
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => name.includes("EmojiPicker"))).toEqual([]);
  expect(scripts.length).toBeLessThan(25);
  expect(new Set(scripts.map(({ path }) => path)).size).toBe(scripts.length);
  // The build's own preloads, which start only once the entry runs, have no priority.
  const links = await page
    .locator('link[rel="modulepreload"][fetchpriority="low"]')
    .evaluateAll((all) => all.map((link) => (link as HTMLLinkElement).getAttribute("href")));
  expect(links).toEqual(named);
  expect(scripts.map(({ path }) => path)).toEqual(expect.arrayContaining(named));
});

test("another page does not load the code of a chat with its first scripts", async ({ pair: { ana }, open }) => {
  const page = await open(ana, "/settings/profile");
  await expect(page.getByRole("heading", { name: "Profile" }).first()).toBeVisible();
  const chat = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/ChatPage-"))
      .map(({ name }) => name),
  );
  expect(chat).toEqual([]);
});
