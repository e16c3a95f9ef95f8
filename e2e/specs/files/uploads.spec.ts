import type { JSHandle, Page } from "@playwright/test";
import { createProject } from "../../fixtures/api.ts";
import { uploadCard, attachFiles, randomFile, listChatFileNames, uploadTray, type TestFile, checksum, storedAttachments } from "../../fixtures/attach-files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError, NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { composer, message, railProject, send } from "../../fixtures/pages.ts";
import { uniqueName } from "../../fixtures/test.ts";

/** Drags files over the page until it shows the text; a browser repeats dragover events during a drag. */
const dragOver = (page: Page, dataTransfer: JSHandle<DataTransfer>, text: string) =>
  expect(async () => {
    await page.dispatchEvent("main", "dragover", { dataTransfer });
    await expect(page.getByText(text)).toBeVisible({ timeout: 1_000 });
  }).toPass();

/** Drops or pastes files with synthetic events, because the test browser offers no API for that. */
async function dropOrPaste(page: Page, method: "drop" | "paste", files: TestFile[]): Promise<void> {
  const data = await page.evaluateHandle(
    (entries) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, base64 } of entries)
        transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name, { type: mimeType }));
      return transfer;
    },
    files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString("base64") })),
  );
  if (method === "drop") {
    await dragOver(page, data, "Drop to upload");
    await page.dispatchEvent("main", "drop", { dataTransfer: data });
    await expect(page.getByText("Drop to upload")).toHaveCount(0);
  } else {
    await composer(page).evaluate((element, transfer) => {
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
    }, data);
  }
}

test("files are chosen, dropped and pasted, removed and rejected, and are sent with a message in their order", async ({
  organization: { owner },
  createPerson,
  open,
  network,
  pageErrors,
}, info) => {
  const project = await createProject(owner, uniqueName("Here", info.testId));
  const other = await createProject(owner, uniqueName("There", info.testId));
  const [ana, ben] = await Promise.all([createPerson("Ana", "member", [project.id, other.id]), createPerson("Ben", "member", [project.id])]);
  const [anaPage, benPage] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  const files = [randomFile("chosen.bin", 5_000), randomFile("dropped.bin", 70_000), randomFile("pasted.bin", 300)];

  await test.step("a rejected file shows the service's message on its card and can be retried", async () => {
    pageErrors.allow(statusError(413));
    const interception = await network.replyWithProblem(anaPage, "**/api/v2/uploads", 413, "No room left.");
    await attachFiles(anaPage, files[0]!);
    await expect(uploadCard(anaPage, "chosen.bin")).toContainText("Failed: No room left.");
    await interception.end();
    await anaPage.getByRole("button", { name: "Retry chosen.bin" }).click();
    await expect(uploadCard(anaPage, "chosen.bin")).toContainText("Uploaded");
  });

  await test.step("each project preserves its files while another one is open", async () => {
    await railProject(anaPage, other.name).click();
    await expect(composer(anaPage)).toHaveAccessibleName(`Message ${other.name}`);
    await expect(uploadTray(anaPage)).toHaveCount(0);
    await railProject(anaPage, project.name).click();
    await expect(uploadCard(anaPage, "chosen.bin")).toContainText("Uploaded");
  });

  await test.step("the files are sent with a message in their order", async () => {
    await dropOrPaste(anaPage, "drop", [files[1]!]);
    await dropOrPaste(anaPage, "paste", [files[2]!]);
    for (const { name } of files) await expect(uploadCard(anaPage, name)).toContainText("Uploaded");
    await send(anaPage, "three files");
    await expect(uploadTray(anaPage)).toHaveCount(0);
    for (const { name } of files) await expect(message(benPage, "three files")).toContainText(name);
    expect(await storedAttachments(ana, project.id)).toEqual(files.map(({ name, buffer }) => ({ body: "three files", name, checksum: checksum(buffer) })));
  });

  const sentNames = files.map(({ name }) => name);
  const unsentNames = async () => (await listChatFileNames(ana, project)).filter((name) => !sentNames.includes(name));

  await test.step("an empty file is rejected, and nothing is sent until it is removed", async () => {
    await attachFiles(anaPage, randomFile("kept.bin", 2_000), randomFile("regretted.bin", 900), randomFile("offline.bin", 900), randomFile("nothing.bin", 0));
    await expect(uploadCard(anaPage, "nothing.bin")).toContainText("Failed: The file is empty.");
    await expect(anaPage.getByText("Retry or remove it to send.")).toBeVisible();
    await composer(anaPage).press("Enter");
    await expect(uploadTray(anaPage)).toBeVisible();
    for (const name of ["kept.bin", "regretted.bin", "offline.bin"]) await expect(uploadCard(anaPage, name)).toContainText("Uploaded");
    expect(await unsentNames()).toEqual(["kept.bin", "offline.bin", "regretted.bin"]);
    await anaPage.getByRole("button", { name: "Remove nothing.bin" }).click();
  });

  await test.step("a file removed from the composer after its upload is deleted, even when the network was lost", async () => {
    pageErrors.allow(NETWORK_LOSS);
    await anaPage.getByRole("button", { name: "Remove regretted.bin" }).click();
    await expect.poll(unsentNames).toEqual(["kept.bin", "offline.bin"]);
    await anaPage.context().setOffline(true);
    await anaPage.getByRole("button", { name: "Remove offline.bin" }).click();
    await expect(uploadCard(anaPage, "offline.bin")).toHaveCount(0);
    await anaPage.context().setOffline(false);
    await expect.poll(unsentNames).toEqual(["kept.bin"]);
  });

  await test.step("a file is sent without text, a removed one is not sent", async () => {
    await composer(anaPage).press("Enter");
    await expect(uploadTray(anaPage)).toHaveCount(0);
    const laterAttachments = async () => (await storedAttachments(ana, project.id)).slice(files.length).map(({ body, name }) => [body, name]);
    await expect.poll(laterAttachments).toEqual([["", "kept.bin"]]);
    expect(await unsentNames()).toEqual(["kept.bin"]);
  });
});

test("a guest uploads files too", async ({ pair: { ben, project }, createPerson, open }) => {
  const page = await open(await createPerson("Gus", "guest", [project.id]), `/projects/${project.id}/chat`);
  await attachFiles(page, randomFile("from a guest.bin", 700));
  await dropOrPaste(page, "drop", [randomFile("dropped.bin", 700)]);
  for (const name of ["from a guest.bin", "dropped.bin"]) await expect(uploadCard(page, name)).toContainText("Uploaded");
  // Users may remove their own uploads.
  await page.getByRole("button", { name: "Remove dropped.bin" }).click();
  await expect.poll(() => listChatFileNames(ben, project)).toEqual(["from a guest.bin"]);
  await send(page, "mine");
  await expect.poll(() => storedAttachments(ben, project.id)).toMatchObject([{ body: "mine", name: "from a guest.bin" }]);
});

test("on a service without uploads, the attach controls explain it", async ({ pair: { ana, project }, open, network }) => {
  const page = await open(ana, "/icon.svg");
  await network.patchResponse(page, "**/api/v2/service", ({ data, ...rest }) => ({
    ...rest,
    data: { ...(data as object), features: ["chat", "messages", "projects", "members", "live"] },
  }));
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  const attachButton = page.getByRole("button", { name: "Attach files: This server doesn't support file uploads." });
  await expect(attachButton).toHaveAttribute("aria-disabled", "true");
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["x"], "x.wav"));
    return transfer;
  });
  await dragOver(page, data, "Can't upload files here");
  await page.dispatchEvent("main", "drop", { dataTransfer: data });
  await expect(page.getByRole("status").filter({ hasText: "This server doesn't support file uploads." })).toBeVisible();
  await expect(uploadTray(page)).toHaveCount(0);
});
