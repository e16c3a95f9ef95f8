/** Uses our service through a client that another process serves and that forwards to it. */
import { statSync } from "node:fs";
import { appFolder } from "../../fixtures/app-copy.ts";
import { createMessage, loadMessages } from "../../fixtures/api.ts";
import { attachFiles, namedFile, uploadCard } from "../../fixtures/attach-files.ts";
import { PROCESSING, sendFiles } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { expectSent, message, send } from "../../fixtures/pages.ts";
import { createProcessedFiles } from "../../fixtures/processed-files.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { expect, test as base } from "../../fixtures/test.ts";
import { startInFront, type Front } from "../../fixtures/upstream.ts";

/** `front`: the client in front of the worker's service. A test names it before `open`, so that it ends after the pages. */
const test = base.extend<{ front: Front }>({
  front: async ({ organization }, use) => {
    const front = await startInFront(appFolder(), organization.service.url);
    await use(front);
    await front.end();
  },
});

test("through --upstream people sign in, chat live, upload, and play and download what the other service has, all from one origin", async ({
  organization,
  pair: { ana, ben, project },
  front,
  open,
  pageErrors,
}) => {
  test.slow();
  pageErrors.allow(statusError(401));
  const [song, picture] = (await createProcessedFiles(organization, ben, project, ["mix.wav", "cover.png"])) as [number, number];
  await sendFiles(ben, project, [song, picture], "For you");
  expect(front.output).toContain(`Service   ${organization.service.url}`);
  expect(front.output).not.toContain("Warning");
  const page = await open(null, `${front.url}/projects/${project.id}/chat`);
  const origins = new Set<string>();
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  const frames: string[] = [];
  page.on("websocket", (socket) => {
    origins.add(new URL(socket.url()).origin.replace("ws", "http"));
    socket.on("framereceived", ({ payload }) => void frames.push(String(payload)));
  });

  await page.getByRole("textbox", { name: "Email or username" }).fill(ana.name);
  await page.getByLabel("Password", { exact: true }).fill(ana.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await send(page, "Through the front");
  await expectSent(page, "Through the front");
  expect((await loadMessages(ben, project.id)).at(-1)?.body).toBe("Through the front");
  await createMessage(ben, project.id, "Heard you");
  await expect(message(page, "Heard you")).toBeVisible();
  await expect.poll(() => frames.join("\n")).toContain("Heard you");

  const row = message(page, "For you");
  await row.getByRole("button", { name: "Play mix.wav" }).click();
  await expect(row.getByRole("slider", { name: "Position in mix.wav" })).not.toHaveAttribute("aria-valuenow", "0");
  await row.getByRole("button", { name: "Pause mix.wav" }).click();
  await expect.poll(() => row.locator("img").evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0))).toContain(true);
  const download = page.waitForEvent("download");
  await row.getByRole("link", { name: "Download mix.wav" }).click();
  expect(statSync(await (await download).path()).size).toBe(wav(20).length);

  await attachFiles(page, namedFile("take.wav", wav(8)));
  await expect(uploadCard(page, "take.wav")).toContainText("Uploaded");
  await send(page, "A take");
  await expect(message(page, "A take").getByRole("slider", { name: "Position in take.wav" })).toHaveAttribute("aria-valuemax", "8", PROCESSING);
  await message(page, "A take").getByRole("link", { name: "take.wav", exact: true }).click();
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Play", exact: true }).first().click();
  await expect(main.getByRole("slider", { name: "Position", exact: false }).first()).not.toHaveAttribute("aria-valuenow", "0");

  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, httpOnly }) => [name, httpOnly])).toEqual([[expect.stringMatching(/^upstream-\w+-talkback$/), true]]);
  expect([...origins]).toEqual([front.url]);
  expect(front.createdFiles()).toEqual([]);
});
