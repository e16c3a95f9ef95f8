/** The guide of delivery rules in /docs. */
export const DELIVERY_RULES_GUIDE = `What a team's files must fulfill before they are delivered: integrated loudness, true peak, sample rate, bit depth, channels, format and name. A team has one set of rules; members that are null or empty are not checked.

\`\`\`text
PUT /api/v2/teams/1/delivery-rules
{ "loudness": { "target": -14, "tolerance": 0.5 }, "true_peak_max": -1, "sample_rates": [48000], "bit_depths": [24],
  "channels": [2], "formats": ["wav"], "name_pattern": "{project}_{title}_v{version}" }
\`\`\`

The rules are replaced as a whole. With \`if_updated_at\`, the \`updated_at\` of the rules that you have seen (null if there were none), nothing changes if somebody has meanwhile set others: the response is a 409.

\`GET /api/v2/files/{file_id}/delivery-check\` compares a version with each rule by what was measured when it was processed. Loudness and true peak are compared as people read them, rounded to tenths: −13.96 LUFS counts as −14.0. \`pending\` is true until the analysis has ended: check again after the next \`file.updated\`.

The name pattern is compared with the name without its extension, whatever the case. \`*\` stands for any text and \`?\` for one character, \`{project}\` for the name of the project, \`{title}\` for any text, \`{version}\` and \`{number}\` for digits, and \`{date}\` for a date such as 20260131, 260131 or 2026-01-31.`;
