/** The guide of agent tasks in /docs. */
export const AGENT_TASKS_GUIDE = `A task makes an agent's account act in one project: at a time, by a schedule, after an event or by hand. It reads and writes with the rights and scopes of that account.

\`\`\`text
POST /api/v2/agents/7/tasks
{ "project_id": 12, "name": "Ask for the master", "action": "rule",
  "trigger": { "type": "event", "event": "file.status_changed", "status_id": 4, "file_kind": "audio" },
  "steps": [
    { "type": "post_message", "text": "{file} is approved at {loudness}, true peak {true_peak}. {link}" },
    { "type": "create_task", "title": "Upload the master of {file}", "due_in_days": 3 } ] }

{ "project_id": 12, "name": "Summary of the day", "action": "summarize", "since_hours": 24,
  "trigger": { "type": "schedule", "cron": "0 18 * * 1-5", "time_zone": "Europe/Berlin" },
  "prompt": "Decisions about the mix first." }
\`\`\`

A \`rule\` carries out its steps in order; \`check_delivery\` compares the file with the team's delivery rules and writes the result. With a language model, which the operator configures and \`features\` of \`GET /api/v2/service\` lists as \`agent-model\`, \`summarize\` sums up the project's chat and \`answer\` answers a \`prompt\` from its documents, with links to the pages; without one, both are refused with 409. Texts that show measurements wait until the file is analyzed. Each start is a run with a state, a log and the records that it wrote. A run that a restart interrupts continues and writes nothing twice; what the agent is not allowed to do ends the run with the reason. A model that is busy or does not answer lets the run wait, for an hour at most. What an agent does starts no task. A schedule whose time has passed several times while the service was down runs once. \`agent_tasks.changed\` follows on the live channel.`;
