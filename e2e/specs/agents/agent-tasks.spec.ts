/** Tasks of agents: what starts them, what they write, their runs and their form. */
import * as agents from "../../../contract/operations/agents.ts";
import { call, createProject, joinByInvite } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { PROCESSING, setStatus, upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { dialog, message, selectOption, sectionOf } from "../../fixtures/pages.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { expect, test } from "../../fixtures/test.ts";

const organization = shareOrganization();
const TASK = "Announce approved mixes";

test("from the template: when a mix becomes Approved, the agent posts its loudness and asks for the master", async ({ open }) => {
  const { owner } = organization();
  const project = await createProject(owner, "Nightdrive");
  const ben = await joinByInvite(owner, "Ben Waiting", "member", [project.id]);
  const scopes = ["account:read", "chat:read", "chat:write", "files:read"] as const;
  const body = { username: "Mix bot", role: "member" as const, scopes: [...scopes], project_ids: [project.id] };
  const agent = (await call(owner, agents.createAgent, { body })).data;
  const mix = await upload(owner, project, "Halogen mix.wav", wav(4));
  await waitUntilProcessed(owner, mix);
  const page = await open(owner, `/settings/agents/${agent.id}`);
  const tasks = sectionOf(page, "Tasks");
  const row = tasks.getByRole("listitem").filter({ hasText: TASK });

  await test.step("the form is filled in, and says which permission is missing", async () => {
    await tasks.getByRole("button", { name: TASK }).click();
    const form = dialog(page, "New task");
    await expect(form.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(TASK);
    await expect(form.getByRole("button", { name: /New status$/ })).toContainText("Approved");
    await expect(form.getByText("Mix bot isn't allowed to do this")).toBeVisible();
    await expectAccessible(page);
    await form.getByRole("button", { name: "Cancel" }).click();
    await call(owner, agents.updateAgent, { params: { agent_id: agent.id }, body: { scopes: [...scopes, "files:write"] } });
    await expect(sectionOf(page, "What it may do")).toContainText("Upload files");
    await tasks.getByRole("button", { name: TASK }).click();
    await expect(form.getByText("Mix bot isn't allowed to do this")).toHaveCount(0);
    // "Any status" can be chosen in the template too.
    await selectOption(form.getByRole("button", { name: /New status$/ }), "Any status");
    await expect(form.getByRole("button", { name: /New status$/ })).toContainText("Any status");
    await selectOption(form.getByRole("button", { name: /New status$/ }), "Approved");
    await form.getByRole("textbox", { name: "Message" }).press("End");
    await page.keyboard.type(" in ");
    await form.getByRole("button", { name: "Insert {project}" }).first().click();
    await page.keyboard.type("!");
    await expect(form.getByRole("textbox", { name: "Message" })).toHaveValue(/\{link\} in \{project\}!$/);
    await form.getByRole("button", { name: "Create task" }).click();
    await expect(row).toContainText("When a file becomes Approved · Audio");
    await expect(row).toContainText("Hasn't run yet");
  });

  const chat = await open(ben, `/projects/${project.id}/chat`);
  await test.step("it reacts to the status, and what it wrote shows in the other browser", async () => {
    await setStatus(ben, project, mix, "Approved");
    await expect(message(chat, /Halogen mix\.wav is approved: \u2212?[\d.]+ LUFS, true peak/)).toBeVisible(PROCESSING);
    await expect(message(chat, /is approved/).getByText("Agent", { exact: true })).toBeVisible();
    await expect(row).toContainText("Succeeded", PROCESSING);
  });

  await test.step("its run has a log and leads to what it wrote", async () => {
    await row.getByRole("button", { name: `Runs of ${TASK}` }).click();
    const runs = dialog(page, `Runs of ${TASK}`);
    await expect(runs.getByText(`After an event by ${ben.name}`)).toBeVisible();
    await expect(runs.getByRole("list", { name: "Log" })).toContainText("Upload the master of Halogen mix.wav");
    await expectAccessible(page);
    await runs.getByRole("link", { name: "Open task" }).click();
    await expect(page).toHaveURL(`${owner.url}/files/${mix}`);
    await expect(page.getByRole("heading", { level: 1, name: "Halogen mix.wav" })).toBeVisible();
    await expect(page.getByText("Upload the master of Halogen mix.wav")).toBeVisible();
    await page.goto(`${owner.url}/settings/agents/${agent.id}`);
  });

  await test.step("paused, it waits; run now asks for a file", async () => {
    await row.getByRole("button", { name: `More actions for ${TASK}` }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await expect(row.getByText("Paused", { exact: true })).toBeVisible();
    await row.getByRole("button", { name: `More actions for ${TASK}` }).click();
    await page.getByRole("menuitem", { name: "Run now" }).click();
    const form = dialog(page, `Run “${TASK}” for a file`);
    await expect(form.getByRole("button", { name: "Run now" })).toBeDisabled();
    await expectAccessible(page);
    await selectOption(form.getByRole("button", { name: /File$/ }), "Halogen mix.wav");
    await form.getByRole("button", { name: "Run now" }).click();
    await expect(message(chat, /is approved/)).toHaveCount(2, PROCESSING);
  });

  await test.step("deleted, its row goes in both browsers, and what it wrote stays", async () => {
    await chat.goto(`${ben.url}/settings/agents/${agent.id}`);
    await expect(chat.getByText(TASK)).toBeVisible();
    await row.getByRole("button", { name: `More actions for ${TASK}` }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await dialog(page, `Delete “${TASK}”?`).getByRole("button", { name: "Delete task" }).click();
    await expect(tasks.getByText("No tasks")).toBeVisible();
    await expect(chat.getByText("No tasks")).toBeVisible();
    await expect(chat.getByRole("button", { name: "New task" })).toHaveCount(0);
    await chat.goto(`${ben.url}/projects/${project.id}/chat`);
    await expect(message(chat, /is approved/)).toHaveCount(2);
  });
});

test("a schedule is set by days and time or as a cron expression, and refused where it cannot be", async ({ open, pageErrors }) => {
  pageErrors.allow(statusError(400));
  const { owner } = organization();
  const project = await createProject(owner, "Morning");
  const body = { username: "Morning bot", role: "member" as const, scopes: ["chat:write" as const, "chat:read" as const], project_ids: [project.id] };
  const agent = (await call(owner, agents.createAgent, { body })).data;
  const page = await open(owner, `/settings/agents/${agent.id}`);
  await page.getByRole("button", { name: "New task" }).press("Enter");
  const form = dialog(page, "New task");
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Good morning");
  await selectOption(form.getByRole("button", { name: /When$/ }), "On a schedule");
  await form.getByRole("checkbox", { name: "Fri" }).uncheck();
  await form.getByLabel("Time", { exact: true }).fill("08:30");
  await selectOption(form.getByRole("button", { name: /Time zone$/ }), "Europe/Berlin");
  await form.getByRole("textbox", { name: "Message" }).fill("Good morning, {person} {tempo}");
  await form.getByRole("button", { name: "Create task" }).click();
  await expect(form.getByText(/must not contain \{tempo\}/)).toBeVisible();
  await form.getByRole("textbox", { name: "Message" }).fill("Good morning");
  await form.getByRole("button", { name: "Create task" }).click();
  const row = sectionOf(page, "Tasks").getByRole("listitem");
  await expect(row).toContainText("Mon, Tue, Wed, Thu at 08:30 (Europe/Berlin)");
  await expect(row).toContainText("Next ");

  await row.getByRole("button", { name: "More actions for Good morning" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  const edit = dialog(page, "Edit “Good morning”");
  await edit.getByRole("checkbox", { name: "Use a cron expression" }).check();
  await edit.getByRole("textbox", { name: "Cron expression" }).fill("*/5 * * * *");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit.getByRole("textbox", { name: "Cron expression" })).toHaveAttribute("aria-invalid", "true");
  await edit.getByRole("textbox", { name: "Cron expression" }).fill("0 9 1 * *");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Schedule 0 9 1 * * (Europe/Berlin)");
});
