/** The guide of the knowledge base in /docs. */
export const KNOWLEDGE_GUIDE = `The text of PDF, Word (DOCX), OpenDocument (ODT), RTF, Markdown and plain text files is read after the upload, and found page by page; so are lyrics and notes in the tags of audio. Only the current version of a file that is not deleted is found; \`version\` with \`file_id\` looks in an earlier version instead.

\`\`\`text
GET /api/v2/knowledge-base/search?query="true+peak"+master&project_id=1
\`\`\`

Every word must occur on the page; the last one may be the beginning of a word, and words in quotes must stand together. \`highlights\` are ranges of the excerpt. PDFs have pages; other documents are divided into parts, at page breaks and else after about 3,000 characters. A search with quotes may return fewer results than \`limit\`; read on while there is a \`next_cursor\`.

\`GET /api/v2/files/{file_id}/pages\` has the \`state\` of the text: \`waiting\`, \`indexed\`, \`empty\` (a scan without text), \`encrypted\`, \`failed\` with a reason, or \`none\`. \`file.updated\` follows when a document has been read.`;
