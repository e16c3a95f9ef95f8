/**
 * The authorization matrix, written by hand from the product rules and not derived from the code.
 *
 * Columns: people of another organization (owner admin member guest) | of this organization, but only in the project `next` (member
 * guest) | of the project `home` (guest member), and the organization's admin and owner.
 * A cell is the status; after a colon follows what the response contains: projects and teams by their first letter (home next apart
 * foreign), people by theirs (Owner Admin Member Guest, Neighbor, guest neXt door, Target; P Q R S: owner to guest of the other
 * organization).
 */
export const TABLE = `
chatHistory          of home                        404 404 404 404 | 404 404 | 200 200 200 200
chatHistory          of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
sendMessage          to home                        404 404 404 404 | 404 404 | 200 200 200 200
sendMessage          reply across projects          404 404 404 404 | 404 404 | 400 400 400 400
sendMessage          reply across organizations     404 404 404 404 | 404 404 | 400 400 400 400
sendMessage          with a file of home            404 404 404 404 | 404 404 | 200 200 200 200
sendMessage          with a file of next            404 404 404 404 | 404 404 | 400 400 400 400
sendMessage          with a file of foreign         404 404 404 404 | 404 404 | 400 400 400 400
sendMessage          with a deleted file            404 404 404 404 | 404 404 | 400 400 400 400
getReadMarker        of home                        404 404 404 404 | 404 404 | 200 200 200 200
moveReadMarker       of home                        404 404 404 404 | 404 404 | 200 200 200 200
editMessage          one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
editMessage          another's in home              404 404 404 404 | 404 404 | 403 403 403 403
editMessage          of foreign, through home       404 404 404 404 | 404 404 | 404 404 404 404
deleteMessage        one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
deleteMessage        another's in home              404 404 404 404 | 404 404 | 403 403 200 200
deleteMessage        of foreign, through home       404 404 404 404 | 404 404 | 404 404 404 404
restoreMessage       own, deleted by oneself        404 404 404 404 | 404 404 | 200 200 200 200
restoreMessage       own, deleted by another        404 404 404 404 | 404 404 | 403 403 403 403
restoreMessage       another's, deleted by oneself  404 404 404 404 | 404 404 | 403 403 200 200
restoreMessage       another's, deleted by them     404 404 404 404 | 404 404 | 403 403 403 403
addReaction          in home                        404 404 404 404 | 404 404 | 200 200 200 200
addReaction          of foreign, through home       404 404 404 404 | 404 404 | 404 404 404 404
removeReaction       in home                        404 404 404 404 | 404 404 | 200 200 200 200
removeReaction       of foreign, through home       404 404 404 404 | 404 404 | 404 404 404 404
findFirstMessage     of home                        404 404 404 404 | 404 404 | 200 200 200 200
findFirstMessage     of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
searchMessages       of home                        404 404 404 404 | 404 404 | 200 200 200 200
searchMessages       of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
listReaders          of home                        404 404 404 404 | 404 404 | 200 200 200 200
listReaders          of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
listFileMessages     of home                        404 404 404 404 | 404 404 | 200 200 200 200
listFileMessages     of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
markUnread           of home                        404 404 404 404 | 404 404 | 200 200 200 200
markUnread           from a message of foreign      404 404 404 404 | 404 404 | 400 400 400 400

getProject           home                           404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
getProject           apart                          404 404 404 404 | 404 404 | 404 404 200:a 200:a
getProject           foreign                        200:f 200:f 200:f 200:f | 404 404 | 404 404 404 404
listProjects         all                            200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
listProjectsByGroup  of home                        404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
listProjectsByGroup  of apart                       404 404 404 404 | 404 404 | 404 404 200:a 200:a
listProjectsWithoutGroup of home                    404 404 404 404 | 200: 200: | 200: 200: 200: 200:
listProjectsWithoutGroup of apart                   404 404 404 404 | 404 404 | 404 404 200: 200:
createProject        in home                        404 404 404 404 | 200 403 | 403 200 200 200
createProject        in apart                       404 404 404 404 | 404 404 | 404 404 200 200
createProject        group of another team          404 404 404 404 | 400 403 | 403 400 400 400
createProject        group of foreign               404 404 404 404 | 400 403 | 403 400 400 400
updateProject        home                           404 404 404 404 | 404 404 | 403 200 200 200
updateProject        into a group of another team   404 404 404 404 | 404 404 | 403 400 400 400
updateProject        into a group of foreign        404 404 404 404 | 404 404 | 403 400 400 400
listProjectMembers   of home                        404 404 404 404 | 404 404 | 200:GMOT 200:GMOT 200:GMOT 200:GMOT
addProjectMember     to home                        404 404 404 404 | 404 404 | 403 200 200 200
addProjectMember     of foreign, to home            404 404 404 404 | 404 404 | 403 400 400 400
removeProjectMember  another from home              404 404 404 404 | 404 404 | 403 403 204 204
removeProjectMember  oneself from home              404 404 404 404 | 404 404 | 204 204 204 204
removeProjectMember  of foreign, from home          404 404 404 404 | 404 404 | 403 403 404 404

createProjectV2      in home                        404 404 404 404 | 200 403 | 403 200 200 200
createProjectV2      in apart                       404 404 404 404 | 404 404 | 404 404 200 200
getProjectV2         home                           404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
getProjectV2         apart                          404 404 404 404 | 404 404 | 404 404 200:a 200:a
createMessage        to home                        404 404 404 404 | 404 404 | 200 200 200 200
createMessage        to foreign                     200 200 200 200 | 404 404 | 404 404 404 404
getMessage           of home                        404 404 404 404 | 404 404 | 200 200 200 200
getMessage           of foreign, through home       404 404 404 404 | 404 404 | 404 404 404 404
createTask           on home                        404 404 404 404 | 404 404 | 200 200 200 200
createTask           on the project apart           404 404 404 404 | 404 404 | 404 404 200 200
listTasks            of the project home            404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
listGroupsV2         all                            200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
listGroupsV2         of apart                       404 404 404 404 | 404 404 | 404 404 200:a 200:a
getGroupV2           home                           404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
getGroupV2           apart                          404 404 404 404 | 404 404 | 404 404 200:a 200:a
createGroupV2        in home                        404 404 404 404 | 200 403 | 403 200 200 200
createGroupV2        in apart                       404 404 404 404 | 404 404 | 404 404 200 200
listTeamsV2          all                            200:f 200:f 200:f 200:f | 200:h 200:h | 200:h 200:h 200:ha 200:ha
getTeam              home                           404 404 404 404 | 200:h 200:h | 200:h 200:h 200:h 200:h
getTeam              apart                          404 404 404 404 | 404 404 | 404 404 200:a 200:a

getFileInfo          of home                        404 404 404 404 | 404 404 | 200 200 200 200
getFileInfo          of apart                       404 404 404 404 | 404 404 | 404 404 200 200
getFileInfo          of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
getFileInfo          deleted, of home               404 404 404 404 | 404 404 | 404 404 404 404
listFolder           of home                        404 404 404 404 | 404 404 | 200 200 200 200
listFolder           of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
findFiles            in the team of home            404 404 404 404 | 200:n 200:n | 200:h 200:h 200:hn 200:hn
findFiles            in the team of apart           404 404 404 404 | 404 404 | 404 404 200:a 200:a
createFolder         in home                        404 404 404 404 | 404 404 | 200 200 200 200
createFolder         in apart                       404 404 404 404 | 404 404 | 404 404 200 200
getFolderUrl         of home                        404 404 404 404 | 404 404 | 200 200 200 200
updateFolder         of home                        404 404 404 404 | 404 404 | 403 200 200 200
updateFolder         one's own in home              404 404 404 404 | 404 404 | 403 200 200 200
renameFile           another's in home              404 404 404 404 | 404 404 | 403 200 200 200
renameFile           one's own in home              404 404 404 404 | 404 404 | 403 200 200 200
renameFile           the root folder                404 404 404 404 | 404 404 | 403 403 403 403
renameFile           of foreign                     200 200 200 403 | 404 404 | 404 404 404 404
deleteFile           another's in home              404 404 404 404 | 404 404 | 403 200 200 200
deleteFile           one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
deleteFile           the root folder                404 404 404 404 | 404 404 | 403 403 403 403
deleteFile           one's folder, another's file   404 404 404 404 | 404 404 | 403 200 200 200
deleteFile           one's own, final               404 404 404 404 | 404 404 | 403 200 200 200
listFiles            of home                        404 404 404 404 | 404 404 | 200 200 200 200
listFiles            of apart                       404 404 404 404 | 404 404 | 404 404 200 200
listFiles            of home, a folder of next      404 404 404 404 | 404 404 | 404 404 404 404
listFolders          of home                        404 404 404 404 | 404 404 | 200 200 200 200
listFolders          of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
getFileFacets        of home                        404 404 404 404 | 404 404 | 200 200 200 200
getFileFacets        of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
moveFiles            another's in home              404 404 404 404 | 404 404 | 403 200 200 200
moveFiles            one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
moveFiles            the root folder                404 404 404 404 | 404 404 | 403 403 403 403
moveFiles            one's folder, another's file   404 404 404 404 | 404 404 | 403 200 200 200
moveFiles            own, of a protected folder     404 404 404 404 | 404 404 | 403 200 200 200
moveFiles            one's own, final               404 404 404 404 | 404 404 | 200 200 200 200
moveFiles            of apart to home               404 404 404 404 | 404 404 | 404 404 400 400
deleteFiles          another's in home              404 404 404 404 | 404 404 | 403 200 200 200
deleteFiles          one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
deleteFiles          one's own, another's version   404 404 404 404 | 404 404 | 200 200 200 200
deleteFiles          another's, one's own version   404 404 404 404 | 404 404 | 403 200 200 200
deleteFiles          one's folder, another's file   404 404 404 404 | 404 404 | 403 200 200 200
deleteFiles          own, of a protected folder     404 404 404 404 | 404 404 | 200 200 200 200
deleteFiles          one's own, final               404 404 404 404 | 404 404 | 403 200 200 200
deleteFiles          one's folder, final file       404 404 404 404 | 404 404 | 403 200 200 200
listDeletedFiles     of home                        404 404 404 404 | 404 404 | 200 200 200 200
getDeletedFile       another's in home              404 404 404 404 | 404 404 | 404 200 200 200
getDeletedFile       one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
restoreFiles         another's in home              404 404 404 404 | 404 404 | 403 200 200 200
restoreFiles         one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
updateFile           another's in home              404 404 404 404 | 404 404 | 403 200 200 200
updateFile           one's own in home              404 404 404 404 | 404 404 | 403 200 200 200
updateFile           of foreign                     200 200 200 403 | 404 404 | 404 404 404 404
getArchive           of home                        404 404 404 404 | 404 404 | 200 200 200 200
getArchive           of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
getArchive           deleted, of home               404 404 404 404 | 404 404 | 404 404 404 404
uploadExternal       to home                        404 404 404 404 | 404 404 | 200 200 200 200
uploadFile           to home                        404 404 404 404 | 404 404 | 200 200 200 200
uploadFile           to apart                       404 404 404 404 | 404 404 | 404 404 200 200
uploadFile           version of another's in home   404 404 404 404 | 404 404 | 403 200 200 200
uploadFile           version of one's own in home   404 404 404 404 | 404 404 | 200 200 200 200
uploadFile           version of own, protected      404 404 404 404 | 404 404 | 403 200 200 200
uploadFile           version, folder protected      404 404 404 404 | 404 404 | 403 200 200 200
uploadFile           version of own, final          404 404 404 404 | 404 404 | 403 200 200 200
generateTags         of home                        404 404 404 404 | 404 404 | 403 200 200 200
retryProcessing      of home                        404 404 404 404 | 404 404 | 403 200 200 200
setFileStatus        of home                        404 404 404 404 | 404 404 | 403 200 200 200
setFileStatus        of one's own in home           404 404 404 404 | 404 404 | 403 200 200 200
setFileStatus        of foreign, status of home     400 400 400 403 | 404 404 | 404 404 404 404
listStatusChanges    of home                        404 404 404 404 | 404 404 | 200 200 200 200
restoreVersion       another's in home              404 404 404 404 | 404 404 | 403 200 200 200
restoreVersion       one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
listVersions         of home                        404 404 404 404 | 404 404 | 200 200 200 200
getPeaks             of home                        404 404 404 404 | 404 404 | 200 200 200 200
getPeaksLevel        of home                        404 404 404 404 | 404 404 | 200 200 200 200
getContent           of home                        404 404 404 404 | 404 404 | 200 200 200 200
getContent           of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
getContent           deleted, of home               404 404 404 404 | 404 404 | 404 404 404 404
createSignedUrl      of home                        404 404 404 404 | 404 404 | 200 200 200 200
createUpload         to the chat of home            404 404 404 404 | 404 404 | 201 201 201 201
createUpload         to a folder of home            404 404 404 404 | 404 404 | 201 201 201 201
createUpload         version of another's in home   404 404 404 404 | 404 404 | 403 201 201 201
createUpload         version of one's own in home   404 404 404 404 | 404 404 | 201 201 201 201
createUpload         version of own, protected      404 404 404 404 | 404 404 | 403 201 201 201
createUpload         version, folder protected      404 404 404 404 | 404 404 | 403 201 201 201
createUpload         version of own, final          404 404 404 404 | 404 404 | 403 201 201 201
getUpload            one's own                      200 200 200 200 | 200 200 | 200 200 200 200
getUpload            of member                      404 404 404 404 | 404 404 | 404 200 404 404

listFolderTasks      of home                        404 404 404 404 | 404 404 | 200 200 200 200
listFolderTasks      of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
listTasks            all                            200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
listTasks            of home                        404 404 404 404 | 404 404 | 200 200 200 200
getTask              of home                        404 404 404 404 | 404 404 | 200 200 200 200
getTask              of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
getTask              of a deleted file              404 404 404 404 | 404 404 | 404 404 404 404
createTasks          on home                        404 404 404 404 | 404 404 | 200 200 200 200
createTasks          on apart                       404 404 404 404 | 404 404 | 404 404 200 200
createTasks          for a person not in home       404 404 404 404 | 404 404 | 400 400 400 400
createTasks          for a foreign member           404 404 404 404 | 404 404 | 400 400 400 400
updateTask           another's in home              404 404 404 404 | 404 404 | 403 200 200 200
updateTask           one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
updateTask           closed by the assignee         404 404 404 404 | 404 404 | 200 200 200 200
updateTask           edited by the assignee         404 404 404 404 | 404 404 | 403 200 200 200
updateTask           of foreign                     200 200 200 403 | 404 404 | 404 404 404 404
deleteTask           another's in home              404 404 404 404 | 404 404 | 403 204 204 204
deleteTask           one's own in home              404 404 404 404 | 404 404 | 204 204 204 204
deleteTask           by the assignee                404 404 404 404 | 404 404 | 403 204 204 204
getTaskTemplate      of home                        404 404 404 404 | 200 200 | 200 200 200 200
getTaskTemplate      of apart                       404 404 404 404 | 404 404 | 404 404 200 200
loadTasksFromTemplate of home, onto home            404 404 404 404 | 404 404 | 200 200 200 200
loadTasksFromTemplate of apart, onto home           404 404 404 404 | 404 404 | 400 400 400 400
listTaskTemplates    of home                        404 404 404 404 | 200 200 | 200 200 200 200
listTaskTemplates    of apart                       404 404 404 404 | 404 404 | 404 404 200 200
createTaskTemplate   in home                        404 404 404 404 | 200 403 | 403 200 200 200
createTaskTemplate   in apart                       404 404 404 404 | 404 404 | 404 404 200 200
deleteTaskTemplate   of home                        404 404 404 404 | 204 403 | 403 204 204 204
deleteTaskTemplate   of foreign                     204 204 204 403 | 404 404 | 404 404 404 404

listTeams            all                            200:f 200:f 200:f 200:f | 200:h 200:h | 200:h 200:h 200:ha 200:ha
listFileStatuses     of home                        404 404 404 404 | 200 200 | 200 200 200 200
listFileStatuses     of apart                       404 404 404 404 | 404 404 | 404 404 200 200
listGroups           of home                        404 404 404 404 | 200:n 200:n | 200:h 200:h 200:hn 200:hn
listGroups           of apart                       404 404 404 404 | 404 404 | 404 404 200:a 200:a
getGroup             home                           404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
getGroup             apart                          404 404 404 404 | 404 404 | 404 404 200:a 200:a
createGroup          in home                        404 404 404 404 | 200 403 | 403 200 200 200
createGroup          in apart                       404 404 404 404 | 404 404 | 404 404 200 200
inviteMember         to home                        404 404 404 404 | 403 403 | 403 403 200 200
inviteMember         as owner                       404 404 404 404 | 403 403 | 403 403 403 200
inviteMember         to a project of foreign        404 404 404 404 | 403 403 | 403 403 400 400
inviteMember         to a project of another team   404 404 404 404 | 403 403 | 403 403 400 400
listInvites          all                            200:f 200:f 403 403 | 403 403 | 403 403 200:h 200:h
revokeInvite         of home                        404 404 403 403 | 403 403 | 403 403 204 204
revokeInvite         of foreign                     204 204 403 403 | 403 403 | 403 403 404 404

getAccount           oneself                        200:P 200:Q 200:R 200:S | 200:N 200:X | 200:G 200:M 200:A 200:O
getAccount           member                         404 404 404 404 | 200:M 404 | 200:M 200:M 200:M 200:M
getAccount           owner                          404 404 404 404 | 200:O 200:O | 200:O 200:O 200:O 200:O
getAccount           foreign member                 200:R 200:R 200:R 200:R | 404 404 | 404 404 404 404
listMembers          all                            200:PQRS 200:PQRS 200:PQRS 200:PQRS | 200:AGMNOTX 200:ANOX | 200:AGMOT 200:AGMNOTX 200:AGMNOTX 200:AGMNOTX
getOwnAccount        oneself                        200:P 200:Q 200:R 200:S | 200:N 200:X | 200:G 200:M 200:A 200:O
getAccountV2         member                         404 404 404 404 | 200:M 404 | 200:M 200:M 200:M 200:M
getAccountV2         owner                          404 404 404 404 | 200:O 200:O | 200:O 200:O 200:O 200:O
getAccountV2         foreign member                 200:R 200:R 200:R 200:R | 404 404 | 404 404 404 404
getAvatar            of a member                    404 404 404 404 | 200 404 | 200 200 200 200
getAvatar            of a foreign member            200 200 200 200 | 404 404 | 404 404 404 404
setAvatar            one's own                      200:P 200:Q 200:R 200:S | 200:N 200:X | 200:G 200:M 200:A 200:O
removeAvatar         one's own                      200:P 200:Q 200:R 200:S | 200:N 200:X | 200:G 200:M 200:A 200:O
updateAccount        oneself                        200:P 200:Q 200:R 200:S | 200:N 200:X | 200:G 200:M 200:A 200:O
changePassword       oneself                        204 204 204 204 | 204 204 | 204 204 204 204
updateMember         target                         404 404 404 404 | 403 404 | 403 403 200 200
updateMember         make target owner              404 404 404 404 | 403 404 | 403 403 403 200
updateMember         owner                          404 404 404 404 | 403 403 | 403 403 403 200
transferOwnership    target                         404 404 404 404 | 403 404 | 403 403 403 200
updateOrganisation   own                            200 403 403 403 | 403 403 | 403 403 403 200
updateMember         foreign member                 200 200 403 403 | 404 404 | 404 404 404 404
createPasswordReset  target                         404 404 404 404 | 403 404 | 403 403 200 200
createPasswordReset  owner                          404 404 404 404 | 403 403 | 403 403 403 200
createPasswordReset  foreign member                 200 200 403 403 | 404 404 | 404 404 404 404
listPasswordResets   all                            200:f 403 403 403 | 403 403 | 403 403 403 200:h
revokePasswordReset  of home                        404 403 403 403 | 403 403 | 403 403 403 204
revokePasswordReset  of foreign                     204 403 403 403 | 403 403 | 403 403 403 404

getDemo               running                        200 403 403 403 | 403 403 | 403 403 403 200
createDemo            running                        200 403 403 403 | 403 403 | 403 403 403 200
removeDemo            failed                         200 403 403 403 | 403 403 | 403 403 403 200

createWebhookEndpoint valid                         200 200 403 403 | 403 403 | 403 403 200 200
checkWebhookUrl       valid                         200 200 403 403 | 403 403 | 403 403 200 200
listWebhookEndpoints  all                           200:f 200:f 403 403 | 403 403 | 403 403 200:h 200:h
getWebhookEndpoint    of home                       404 404 404 404 | 403 403 | 403 403 200 200
getWebhookEndpoint    of foreign                    200 200 403 403 | 404 404 | 404 404 404 404
getWebhookEndpoint    deleted, of home              404 404 404 404 | 404 404 | 404 404 404 404
updateWebhookEndpoint of home                       404 404 404 404 | 403 403 | 403 403 200 200
updateWebhookEndpoint of foreign                    200 200 403 403 | 404 404 | 404 404 404 404
deleteWebhookEndpoint of home                       404 404 404 404 | 403 403 | 403 403 204 204
deleteWebhookEndpoint of foreign                    204 204 403 403 | 404 404 | 404 404 404 404
rotateWebhookSecret   of home                       404 404 404 404 | 403 403 | 403 403 200 200
testWebhookEndpoint   of home                       404 404 404 404 | 403 403 | 403 403 200 200
testWebhookEndpoint   of foreign                    200 200 403 403 | 404 404 | 404 404 404 404
listDeliveries        of home                       404 404 404 404 | 403 403 | 403 403 200 200
listDeliveries        of foreign                    200 200 403 403 | 404 404 | 404 404 404 404
getDelivery           of home                       404 404 404 404 | 403 403 | 403 403 200 200
getDelivery           of foreign                    200 200 403 403 | 404 404 | 404 404 404 404
listAttempts          of home                       404 404 404 404 | 403 403 | 403 403 200 200
listAttempts          of foreign                    200 200 403 403 | 404 404 | 404 404 404 404
redeliver             of home                       404 404 404 404 | 403 403 | 403 403 200 200
redeliver             of foreign                    200 200 403 403 | 404 404 | 404 404 404 404
recoverDeliveries     of home                       404 404 404 404 | 403 403 | 403 403 200 200
recoverDeliveries     of foreign                    200 200 403 403 | 404 404 | 404 404 404 404

listTokens           one's own                      200:P 200: 200: 200: | 200: 200: | 200: 200:M 200: 200:O
listAuditEntries     all                            200:f 403 403 403 | 403 403 | 403 403 403 200:h
createToken          one's own                      200 200 200 200 | 200 200 | 200 200 200 200
revokeToken          one's own                      204 204 204 204 | 204 204 | 204 204 204 204
revokeToken          of member                      404 404 404 404 | 404 404 | 404 204 404 404
getConsent           one's own                      200 200 200 200 | 200 200 | 200 200 200 200
listGrants           one's own                      200:P 200: 200: 200: | 200: 200: | 200: 200:M 200: 200:
revokeGrant          one's own                      204 204 204 204 | 204 204 | 204 204 204 204
revokeGrant          of member                      404 404 404 404 | 404 404 | 404 204 404 404
getSession           one's own                      200:P 200:Q 200:R 200:S | 200:N 200:X | 200:G 200:M 200:A 200:O
listSessions         one's own                      200:P 200:Q 200:R 200:S | 200:N 200:X | 200:G 200:M 200:A 200:O
endSession           one's own                      204 204 204 204 | 204 204 | 204 204 204 204
endSession           of member                      404 404 404 404 | 404 404 | 404 204 404 404
signOut              of this session                204 204 204 204 | 204 204 | 204 204 204 204
endAllSessions       one's own                      204 204 204 204 | 204 204 | 204 204 204 204
liveTicket           one's own                      200 200 200 200 | 200 200 | 200 200 200 200
`;

/** Statuses without a valid authorization: the same for every operation that is not open, whatever the request. */
export const REJECTED_CALLER_STATUSES = {
  nobody: 401,
  "expired token": 401,
  "revoked token": 401,
  "disabled, by session": 401,
  "disabled, by token": 401,
  "token without the scope": 403,
  "token without a further scope": 403,
  "app with an expired token": 401,
  "disconnected app": 401,
  "app of a disabled account": 401,
  "app without the scope": 403,
} as const;

/** Statuses of operations without sign-in, which are the same for everyone. */
export const PUBLIC_OPERATION_STATUSES = {
  getService: 200,
  setUp: 409,
  signIn: 200,
  resetPassword: 200,
  previewInvite: 200,
  previewPasswordReset: 200,
  acceptInvite: 200,
  getSignedContent: 200,
  getAuthServerMetadata: 200,
  getProtectedResourceMetadata: 200,
  registerClient: 201,
  authorize: 302,
  confirmConsent: 302,
  issueToken: 200,
  revokeOAuthToken: 200,
  openMailLink: 302,
  unsubscribeByMailLink: 204,
  previewMailLink: 200,
  applyMailLink: 200,
  previewMailConfirmation: 200,
  confirmMailAddress: 200,
} as const;

/** Rules that allow every signed-in person; only the visibility of the resource restricts them. */
export const UNRESTRICTED_RULES = [
  "open",
  "self",
  "team.read",
  "group.read",
  "project.read",
  "chat.read",
  "chat.write",
  "account.read",
  "task.read",
  "task.create",
  "playlist.read",
  "playlist.create",
  "file.read",
  "file.create",
  "comment.read",
  "comment.write",
  "agent.read",
];
