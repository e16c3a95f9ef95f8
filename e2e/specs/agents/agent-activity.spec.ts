/** What an agent did: listed on its page as it happens, and undone, one by one or a whole run. */
import * as agentTasks from "../../../contract/operations/agent-tasks.ts";
import * as agents from "../../../contract/operations/agents.ts";
import { call, createProject, joinByInvite } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { loadFileInfo, PROCESSING, upload } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { dialog, message, selectOption, sectionOf } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const organization = shareOrganization();
const SCOPES = ["account:read", "chat:read", "chat:write", "files:read", "files:write"] as const;

test("everything an agent did is listed as it happens, and an admin undoes it", async ({ open }) => {
  const { owner } = organization();
  const project = await createProject(owner, "Nightdrive");
  const other = await createProject(owner, "Halogen");
  const ben = await joinByInvite(owner, "Ben Undone", "member", [project.id]);
  const body = { username: "Mix bot", role: "member" as const, scopes: [...SCOPES], project_ids: [project.id, other.id] };
  const agent = (await call(owner, agents.createAgent, { body })).data;
  const { token } = (await call(owner, agents.createAgentToken, { params: { agent_id: agent.id }, body: { name: "Program", scopes: [...SCOPES] } })).data;
  /** A request of the agent's program. */
  const request = async (path: string, data: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    expect((await fetch(`${owner.url}${path}`, { method: "POST", headers, body: JSON.stringify(data) })).status).toBe(200);
  };
  const file_id = await upload(ben, project, "Night Drive.wav", wav(1));
  const page = await open(owner, `/settings/agents/${agent.id}`);
  const activity = sectionOf(page, "Activity");
  const row = (text: string) => activity.getByRole("listitem").filter({ hasText: text });
  const chat = await open(ben, `/projects/${project.id}/chat`);
  await expect(activity.getByText("Nothing yet")).toBeVisible();

  await test.step("what it does appears without a reload, with links", async () => {
    await request("/v1/account/projects/chat_message", { project_id: project.id, body: "The render is done" });
    await request("/v1/account/projects/chat_message", { project_id: other.id, body: "Elsewhere" });
    await request("/v1/files/rename", { file_id, name: "Night Drive Master.wav" });
    await expect(row("Posted a message").first()).toBeVisible();
    await expect(row("Renamed a file")).toContainText("Night Drive.wav → Night Drive Master.wav");
    await expect(row("The render is done")).toContainText("Nightdrive · By a program");
    await expectAccessible(page);
    await selectOption(activity.getByRole("button", { name: /Project$/ }), "Halogen");
    await expect(activity.getByRole("listitem")).toHaveCount(1);
    await expect(row("Elsewhere")).toBeVisible();
    await selectOption(activity.getByRole("button", { name: /Project$/ }), "All projects");
    await expect(activity.getByRole("listitem")).toHaveCount(3);
    await expect(row("The render is done").getByRole("link")).toHaveAttribute("href", /\/chat\/\d+$/);
  });

  await test.step("a rename goes back at once, and the focus stays in the list", async () => {
    await row("Renamed a file")
      .getByRole("button", { name: /^Undo: Renamed a file/ })
      .press("Enter");
    await expect(row("Renamed a file")).toContainText(`Undone by ${owner.name}`);
    await expect(row("Renamed a file")).toBeFocused();
    expect((await loadFileInfo(ben, file_id)).common["name"]).toBe("Night Drive.wav");
  });

  await test.step("a message is deleted after a question, in the other browser too", async () => {
    await expect(message(chat, "The render is done")).toBeVisible();
    await row("The render is done")
      .getByRole("button", { name: /^Undo: Posted a message/ })
      .click();
    const question = dialog(page, "Undo “Posted a message”?");
    await expect(question).toContainText("The message is deleted for everyone.");
    await expectAccessible(page);
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(message(chat, "The render is done")).toBeVisible();
    await row("The render is done")
      .getByRole("button", { name: /^Undo: Posted a message/ })
      .click();
    await question.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(question).toHaveCount(0);
    await expect(message(chat, "The render is done")).toHaveCount(0);
    await expect(activity.getByText(`Undone by ${owner.name}`)).toHaveCount(2);
  });

  await test.step("what a person changed since stays, and a member sees only the own projects", async () => {
    await request("/v1/files/rename", { file_id, name: "Bot.wav" });
    await expect(row("→ Bot.wav").getByRole("button")).toHaveCount(1);
    await chat.goto(`${ben.url}/settings/agents/${agent.id}`);
    const seen = sectionOf(chat, "Activity").getByRole("listitem");
    await expect(seen).toHaveCount(3);
    await expect(seen.filter({ hasText: "Elsewhere" })).toHaveCount(0);
    await seen
      .filter({ hasText: "→ Bot.wav" })
      .getByRole("button", { name: /^Undo: Renamed a file/ })
      .click();
    await expect(row("→ Bot.wav")).toContainText(`Undone by ${ben.name}`);
    await expectAccessible(chat);
  });
});

test("a run of a task is undone as a whole", async ({ open, pageErrors }) => {
  // The page may ask for the tasks of an agent that was deleted a moment ago.
  pageErrors.allow(statusError(404));
  const { owner } = organization();
  const project = await createProject(owner, "Morning");
  const ben = await joinByInvite(owner, "Ben Morning", "member", [project.id]);
  const body = { username: "Morning bot", role: "member" as const, scopes: [...SCOPES], project_ids: [project.id] };
  const agent = (await call(owner, agents.createAgent, { body })).data;
  const file_id = await upload(ben, project, "Halogen.wav", wav(1));
  const steps = [
    { type: "post_message" as const, text: "Please check Halogen" },
    { type: "create_task" as const, title: "Check Halogen" },
  ];
  const task = { project_id: project.id, action: "rule" as const, name: "Ask for a check", trigger: { type: "manual" as const }, steps, file_id };
  const { id } = (await call(owner, agentTasks.createAgentTask, { params: { agent_id: agent.id }, body: task })).data;
  const chat = await open(ben, `/projects/${project.id}/chat`);
  const page = await open(owner, `/settings/agents/${agent.id}`);
  await call(owner, agentTasks.runAgentTask, { params: { task_id: id }, body: {} });
  await expect(message(chat, "Please check Halogen")).toBeVisible(PROCESSING);
  const activity = sectionOf(page, "Activity");
  await expect(activity.getByRole("listitem")).toHaveCount(2);
  await expect(activity.getByText("By a task", { exact: false })).toHaveCount(2);

  await page.getByRole("button", { name: "Runs of Ask for a check" }).click();
  const runs = dialog(page, "Runs of Ask for a check");
  await runs.getByRole("button", { name: /^Undo… the run of/ }).click();
  const question = dialog(page, "Undo everything this run did?");
  await expect(question.getByRole("listitem")).toHaveText(["Created a task Check Halogen", "Posted a message Please check Halogen"]);
  await expectAccessible(page);
  await question.getByRole("button", { name: "Undo everything" }).click();
  await expect(runs.getByText("2 changes undone.")).toBeVisible();
  await expect(message(chat, "Please check Halogen")).toHaveCount(0);
  await runs.getByRole("button", { name: /^Undo… the run of/ }).click();
  await expect(question).toContainText("Nothing this run did can be undone.");
  await expect(question.getByRole("button", { name: "Undo everything" })).toBeDisabled();
  await question.getByRole("button", { name: "Cancel" }).click();
  await runs.getByRole("button", { name: "Close" }).click();
  await expect(activity.getByText(`Undone by ${owner.name}`)).toHaveCount(2);

  await test.step("what a deleted agent did can still be undone", async () => {
    await call(owner, agentTasks.runAgentTask, { params: { task_id: id }, body: {} });
    await expect(message(chat, "Please check Halogen")).toBeVisible(PROCESSING);
    await call(owner, agents.deleteAgent, { params: { agent_id: agent.id } });
    await expect(page.getByRole("heading", { name: "Deleted agent" })).toBeVisible();
    await expectAccessible(page);
    await activity.getByRole("button", { name: "Undo: Posted a message: Please check Halogen" }).click();
    await dialog(page, "Undo “Posted a message”?").getByRole("button", { name: "Undo", exact: true }).click();
    await expect(message(chat, "Please check Halogen")).toHaveCount(0);
  });
});
