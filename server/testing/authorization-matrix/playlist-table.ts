/** Matrix rows about playlists, in the format of `table.ts`. */
export const PLAYLIST_TABLE = `
listPlaylists        all                            200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
listPlaylists        of the project home            404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
listPlaylists        with the file of home          404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
createPlaylist       in home                        404 404 404 404 | 404 404 | 200 200 200 200
createPlaylist       in apart                       404 404 404 404 | 404 404 | 404 404 200 200
createPlaylist       with a file of next            404 404 404 404 | 404 404 | 400 400 200 200
createPlaylist       with a file of foreign         404 404 404 404 | 404 404 | 400 400 400 400
getPlaylist          of home                        404 404 404 404 | 404 404 | 200 200 200 200
getPlaylist          of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
getPlaylist          deleted                        404 404 404 404 | 404 404 | 404 404 404 404
updatePlaylist       another's in home              404 404 404 404 | 404 404 | 403 200 200 200
updatePlaylist       one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
updatePlaylist       of foreign                     200 200 200 403 | 404 404 | 404 404 404 404
deletePlaylist       another's in home              404 404 404 404 | 404 404 | 403 204 204 204
deletePlaylist       one's own in home              404 404 404 404 | 404 404 | 204 204 204 204
restorePlaylist      another's in home              404 404 404 404 | 404 404 | 403 200 200 200
restorePlaylist      one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
duplicatePlaylist    another's in home              404 404 404 404 | 404 404 | 200 200 200 200
duplicatePlaylist    of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
listPlaylistItems    of home, with a file of next   404 404 404 404 | 404 404 | 200:h 200:h 200:hn 200:hn
listPlaylistItems    of foreign                     200:f 200:f 200:f 200:f | 404 404 | 404 404 404 404
addPlaylistItems     another's in home              404 404 404 404 | 404 404 | 403 200 200 200
addPlaylistItems     one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
addPlaylistItems     one's own, a file of next      404 404 404 404 | 404 404 | 400 400 200 200
movePlaylistItems    another's in home              404 404 404 404 | 404 404 | 403 200 200 200
movePlaylistItems    one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
movePlaylistItems    one's own, a file of next      404 404 404 404 | 404 404 | 400 400 200 200
removePlaylistItems  another's in home              404 404 404 404 | 404 404 | 403 200 200 200
removePlaylistItems  one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
updatePlaylistItem   another's in home              404 404 404 404 | 404 404 | 403 200 200 200
updatePlaylistItem   one's own in home              404 404 404 404 | 404 404 | 200 200 200 200
updatePlaylistItem   one's own, a file of next      404 404 404 404 | 404 404 | 404 404 200 200
sendMessage          with a playlist of home        404 404 404 404 | 404 404 | 200 200 200 200
sendMessage          with a playlist of next        404 404 404 404 | 404 404 | 400 400 400 400
`;
