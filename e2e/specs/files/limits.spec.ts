import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProject, setUpOwner, createMessage } from "../../fixtures/api.ts";
import {
  waitForProgress,
  uploadCard,
  attachFiles,
  dropPaths,
  randomFile,
  createUploadThrottle,
  listChatFileNames,
  uploadTray,
} from "../../fixtures/attach-files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { expectSent, message, send } from "../../fixtures/pages.ts";

test("a file that is too large shows an error, whether or not the limit is known in advance, and so does a full organization", async ({
  startServiceWith,
  open,
  network,
  pageErrors,
}) => {
  pageErrors.allow(statusError(413));
  const service = await startServiceWith({ MAX_UPLOAD_BYTES: "1000000", QUOTA_BYTES: "1500000" });
  const owner = await setUpOwner(service.url, service.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const page = await open(owner, "/icon.svg");
  // A page of somebody who was signed in before does not wait for the description of the service.
  await page.evaluate(() => localStorage.setItem("talkback.signed-in", "1"));
  const interception = await network.pause(page, "**/api/v2/service");
  await page.goto(`${owner.url}/projects/${project.id}/chat`);

  await test.step("without a known limit, the service rejects a file that is too large", async () => {
    await attachFiles(page, randomFile("huge.bin", 1_000_001));
    await expect(uploadCard(page, "huge.bin")).toContainText("Failed: The file is larger than the limit of 1,000,000 bytes.");
    await page.getByRole("button", { name: "Remove huge.bin" }).click();
    await expect(uploadTray(page)).toHaveCount(0);
  });

  await test.step("with a known limit, nothing is sent", async () => {
    const serviceResponse = page.waitForResponse("**/api/v2/service");
    await interception.end();
    await (await serviceResponse).finished();
    const uploadRequests = network.recordRequests(page, /\/api\/v2\/uploads/);
    await attachFiles(page, randomFile("huge.bin", 1_000_001));
    await expect(uploadCard(page, "huge.bin")).toContainText("Failed: The file is larger than the 1 MB limit.");
    await expect(page.getByRole("button", { name: "Retry huge.bin" })).toHaveCount(0);
    expect(uploadRequests).toEqual([]);
    await page.getByRole("button", { name: "Remove huge.bin" }).click();
  });

  await test.step("a full organization shows an error", async () => {
    await attachFiles(page, randomFile("first.bin", 900_000));
    await expect(uploadCard(page, "first.bin")).toContainText("Uploaded");
    await attachFiles(page, randomFile("second.bin", 900_000));
    await expect(uploadCard(page, "second.bin")).toContainText("Failed: Your organization doesn't have enough storage left for this file.");
    await expect(page.getByRole("button", { name: "Retry second.bin" })).toBeVisible();
    await expect(page.getByText("Retry or remove it to send.")).toBeVisible();
    await page.getByRole("button", { name: "Remove second.bin" }).click();
    await send(page, "what fits");
    await expect(message(page, "what fits")).toContainText("first.bin");
  });
});

test("a drop works when the element under the pointer changes, and rejects a folder but attaches the files beside it", async ({
  pair: { ana, ben, project },
  open,
}, info) => {
  const folder = info.outputPath("dropped");
  mkdirSync(join(folder, "Stems"), { recursive: true });
  for (const name of ["bounce.bin", "beside.bin", "Stems/inside.bin"]) writeFileSync(join(folder, name), name);
  const page = await open(ana, `/projects/${project.id}/chat`);

  await test.step("the element under the pointer changes just before the drop", async () => {
    await expect(page.getByText("No messages yet")).toBeVisible();
    await dropPaths(page, [join(folder, "bounce.bin")], {
      async whileHovering() {
        await createMessage(ben, project.id, "Is it there?");
        await expect(message(page, "Is it there?")).toBeVisible();
      },
    });
    await expect(uploadCard(page, "bounce.bin")).toContainText("Uploaded");
  });

  await test.step("a dropped folder is rejected with a notice, and the files beside it are attached", async () => {
    await dropPaths(page, [join(folder, "Stems"), join(folder, "beside.bin")]);
    await expect(page.getByRole("status").filter({ hasText: "Folders can't be attached. Choose the files inside instead." })).toBeVisible();
    await expect(uploadCard(page, "beside.bin")).toContainText("Uploaded");
    await expect(uploadTray(page).getByRole("listitem")).toHaveCount(2);
    // The notice disappears with the next action.
    await attachFiles(page, randomFile("more.bin", 500));
    await expect(uploadCard(page, "more.bin")).toBeVisible();
    await expect(page.getByText("Folders can't be attached.")).toHaveCount(0);
  });
});

test("two tabs upload different files at the same time, and no file is duplicated", async ({ pair: { ana, project }, open }) => {
  const first = await open(ana, `/projects/${project.id}/chat`);
  const setUploadRate = await createUploadThrottle(first);
  await setUploadRate(400_000);
  await attachFiles(first, randomFile("from the first.bin", 2_000_000));
  await waitForProgress(uploadTray(first), "from the first.bin");
  // The second tab finds the first tab's upload in storage and leaves it alone.
  const second = await first.context().newPage();
  await second.goto(first.url());
  await attachFiles(second, randomFile("from the second.bin", 700_000));
  await expect(uploadCard(second, "from the second.bin")).toContainText("Uploaded");
  await expect(uploadCard(second, "from the first.bin")).toHaveCount(0);
  await expect(uploadCard(first, "from the second.bin")).toHaveCount(0);
  await setUploadRate(null);
  await expect(uploadCard(first, "from the first.bin")).toContainText("Uploaded");
  await send(second, "two");
  await send(first, "one");
  for (const page of [first, second]) {
    await expect(message(page, "two")).toContainText("from the second.bin");
    await expect(message(page, "one")).toContainText("from the first.bin");
    await expectSent(page, "one");
    await page.reload();
    await expect(message(page, "one")).toContainText("from the first.bin");
    await expect(uploadTray(page)).toHaveCount(0);
  }
  expect(await listChatFileNames(ana, project)).toEqual(["from the first.bin", "from the second.bin"]);
});
