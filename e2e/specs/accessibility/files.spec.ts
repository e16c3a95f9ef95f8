import type { Page } from "@playwright/test";
import { expectAccessible } from "../../fixtures/axe.ts";
import { message } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";
import { makeFiles } from "../../screens/files.ts";

const CALM = { reducedMotion: "reduce", colorScheme: "dark" } as const;
const status = (page: Page) => page.getByRole("button", { name: /^Status of / });

test("chat with files of every kind in every state, and their pages", async ({ house: { owner, service }, open }) => {
  test.slow();
  const { filesProjectId, files } = await makeFiles(service, owner);
  const page = await open(owner, `/projects/${filesProjectId}/chat`, CALM);
  await expect(message(page, "Print it if nobody minds.")).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await expectAccessible(page);
  for (const id of Object.values(files)) {
    await page.goto(`${owner.url}/files/${id}`);
    await expect(status(page)).toBeVisible();
    await expectAccessible(page);
  }
});
