/** The guide of the event subscriptions of agents in /docs. */
export const AGENT_SUBSCRIPTIONS_GUIDE = `An agent follows what happens in its projects in one of two ways.

On the **live channel** it follows \`project:12\` with its token, like everybody else, and names the types that it asks for. Events of other types come as \`withheld\`, which only keeps their \`seq\`. After an interruption it continues with \`since\`.

\`\`\`text
{ "subscribe": { "topic": "project:12", "since": 481, "types": ["message.created", "file.updated"] } }
\`\`\`

An **event subscription** sends the same events to an address as signed webhooks, as in the guide of webhooks. \`data\` is the event exactly as the live channel has it.

\`\`\`text
POST /api/v2/agents/7/event-subscriptions
{ "event_types": ["message.created", "file.updated"], "project_ids": [12], "url": "https://agent.example.com/talkback" }

{ "object": "event", "id": "0b9f…", "type": "agent.event",
  "data": { "topic": "project:12", "seq": 482, "type": "message.created", "time": "…", "data": { "id": 90, … } } }
\`\`\`

An agent is sent only what it may see at that moment: events of projects that it is in, of types that its role, its scopes and those of the token that set up the subscription allow reading. What the agent itself did is left out. One request follows the other, in the order of \`seq\` within a project; only an event that had to be retried comes later. Every attempt of an event has the same \`webhook-id\`. Events from the time in which the agent or the subscription is paused are not sent. Edited or deleted text is removed from events that are stored or still to be sent: such an event has the current text, or the type \`withheld\`.`;
