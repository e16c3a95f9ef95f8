import { rail } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("the theme follows the system until one is chosen, which is persisted and applied before the first paint", async ({ pair: { ana }, open }) => {
  const page = await open(ana, "/settings/profile", { colorScheme: "light" });
  const root = page.locator("html");
  await expect(root).toHaveAttribute("data-theme", "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(root).toHaveAttribute("data-theme", "dark");

  await rail(page).getByRole("button", { name: "Switch to light theme" }).click();
  await expect(root).toHaveAttribute("data-theme", "light");
  await expect(page.getByRole("radio", { name: "Light" })).toBeChecked();

  await test.step("the chosen theme is applied before the client runs", async () => {
    const loading = Promise.withResolvers<void>();
    const clientScript = /\/assets\/[^/]+\.js$/;
    await page.route(clientScript, async (route) => {
      await loading.promise;
      await route.continue().catch(() => {});
    });
    await page.reload({ waitUntil: "commit" });
    await expect(root).toHaveAttribute("data-theme", "light");
    await expect(page.locator("#root")).toBeEmpty();
    loading.resolve();
    await expect(page.getByRole("radio", { name: "Light" })).toBeChecked();
    await expect(root).toHaveAttribute("data-theme", "light");
    await page.unroute(clientScript);
  });

  await page.getByRole("radio", { name: "System" }).check();
  await expect(root).toHaveAttribute("data-theme", "dark");
});

test("before signing in, the theme follows the system too", async ({ organization: { service }, open }) => {
  const page = await open(null, `${service.url}/sign-in`, { colorScheme: "light" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("a system that changes while the page loads is followed", async ({ organization: { service }, open }) => {
  const page = await open(null, `${service.url}/icon.svg`, { colorScheme: "light" });
  const changed = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await changed.promise;
    await route.continue();
  });
  await page.goto(`${service.url}/sign-in`, { waitUntil: "commit" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.emulateMedia({ colorScheme: "dark" });
  changed.resolve();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
