import { expectAccessible } from "../../fixtures/axe.ts";
import { message, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";
import { createSampleFiles } from "../../screens/sample-files.ts";

const NAMES = {
  sound: "nightdrive_mix_v4.wav",
  single: "halden_single.mp3",
  waiting: "vocal_comp.wav",
  transcoding: "reel_3.mp4",
  video: "trailer_cut_2.webm",
  failed: "room_mic.wav",
  image: "cover.png",
  document: "delivery_spec.txt",
};

test("the chat and the file pages are accessible with files of every kind in every state", async ({ organization: { owner, service }, open }) => {
  test.slow();
  const { filesProjectId, files } = await createSampleFiles(service, owner);
  const page = await open(owner, `/projects/${filesProjectId}/chat`);
  await expect(message(page, "Print it if nobody minds.")).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await expectAccessible(page);
  expect(Object.keys(files)).toEqual(Object.keys(NAMES));
  for (const [kind, id] of Object.entries(files))
    await test.step(kind, async () => {
      const name = NAMES[kind as keyof typeof NAMES];
      await timeline(page).getByRole("link", { name, exact: true }).first().click();
      await expect(page).toHaveURL(new RegExp(`/files/${id}(\\?v=\\d+)?$`));
      await expect(page.getByRole("button", { name: `Status of ${name}` })).toBeVisible();
      await expectAccessible(page);
      await page.goBack();
      await expect(message(page, "Print it if nobody minds.")).toBeVisible();
    });
  await test.step("the files view, while a file is being processed", async () => {
    const progress = { project_id: filesProjectId, file_id: files.transcoding, version: 1, step: "transcode", progress: 0.4 };
    await page.routeWebSocket(/\/api\/v2\/live/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((frame) => {
        server.send(frame);
        socket.send(JSON.stringify({ signal: { type: "file.progress", data: progress } }));
      });
    });
    await page.goto(`${owner.url}/projects/${filesProjectId}/files`);
    const progressBar = page.getByRole("gridcell").getByRole("progressbar", { name: `Processing ${NAMES.transcoding}` });
    await expect(progressBar).toHaveAttribute("aria-valuenow", "40");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Grid view" }).click();
    await expect(progressBar).toHaveAttribute("aria-valuenow", "40");
    await expectAccessible(page);
  });
});
