import { commentField, commentRow } from "../../fixtures/comments.ts";
import { upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { dialog, expectSent, send } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a part of a view whose code cannot be loaded leaves the rest of the view working", async ({ pair: { ana, project }, open, pageErrors }) => {
  pageErrors.allow(/net::ERR_FAILED/);
  const id = await upload(ana, project, "mix.wav", wav(3));
  await waitUntilProcessed(ana, id);
  const page = await open(ana, "/settings/profile", { viewport: { width: 1720, height: 900 } });
  for (const name of ["FilePane", "LyricsPanel", "ProjectMenu"]) await page.route(`**/assets/${name}-*.js`, (route) => route.abort());

  await test.step("the file beside the chat", async () => {
    await page.goto(`${ana.url}/projects/${project.id}/chat?file=${id}`);
    await expect(page.getByText("Couldn't load this part")).toBeVisible();
    await send(page, "the chat goes on");
    await expectSent(page, "the chat goes on");
    await page.getByRole("button", { name: "Close" }).click();
    await expect(page.getByText("Couldn't load this part")).toHaveCount(0);
    await expect(page).not.toHaveURL(/file=/);
    await expect(page.getByRole("button", { name: /^Options for/ })).toHaveCount(0);
  });

  await test.step("the lyrics of a file, and the list of emoji", async () => {
    await page.route("**/assets/EmojiPicker-*.js", (route) => route.abort());
    await page.goto(`${ana.url}/files/${id}`);
    await expect(page.getByText("Couldn't load this part")).toBeVisible();
    await commentField(page).fill("still here");
    await page.getByRole("button", { name: "Insert emoji" }).click();
    await expect(dialog(page, "Insert emoji")).toContainText("Couldn't load this part");
    await dialog(page, "Insert emoji").getByRole("button", { name: "Close" }).click();
    await expect(commentField(page)).toHaveValue("still here");
    await commentField(page).press("Enter");
    await expect(commentRow(page, "still here")).toBeVisible();
  });
});
