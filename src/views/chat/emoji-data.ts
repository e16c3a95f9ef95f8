/** Lists the emoji of the picker with their search terms; any other emoji can be typed or pasted. */
import { searchItems } from "../../lib/search.ts";

export interface Emoji {
  char: string;
  /** Lowercase name: "thumbs up". */
  name: string;
  /** The name and further search terms. */
  keywords: string;
}

export const GROUPS = ["smileys", "people", "nature", "food", "places", "things", "symbols"] as const;
export type EmojiGroup = (typeof GROUPS)[number];

/** One per line: the emoji, its name, and further search terms after a comma. */
const DATA: Record<EmojiGroup, string> = {
  smileys: `
😀 grinning face, smile happy
😃 big eyes grin, smile happy joy
😄 smiling eyes grin, smile happy laugh
😁 beaming face, grin teeth
😆 laughing, haha squint
😅 sweat smile, relief phew
🤣 rolling on the floor, rofl lol laugh
😂 tears of joy, lol laugh cry
🙂 slight smile, ok fine
🙃 upside down, irony silly
🫠 melting face, hot shame
😉 wink, joke
😊 blush, smile warm shy
😇 halo, angel innocent
🥰 smiling hearts, love adore
😍 heart eyes, love
🤩 star struck, wow excited
😘 blowing a kiss, love
😋 yum, tasty food
😛 tongue out, silly
😜 winking tongue, crazy joke
🤪 zany face, crazy goofy
🤗 hug, hugging
🤭 hand over mouth, oops giggle
🫢 gasp, surprise hand over mouth
🫣 peeking, scared curious
🤫 shush, quiet secret
🤔 thinking, hmm wonder
🫡 salute, yes sir
🤐 zipped mouth, secret
🤨 raised eyebrow, doubt skeptical
😐 neutral face, meh
😑 expressionless, blank
😶 no mouth, silent speechless
🫥 dotted line face, invisible
😏 smirk, sly
😒 unamused, annoyed
🙄 eye roll, whatever
😬 grimace, awkward
😮‍💨 exhale, relief sigh
🤥 lying, pinocchio
😌 relieved, calm peace
😔 pensive, sad
😪 sleepy, tired
😴 sleeping, zzz tired
😷 face mask, sick
🤒 thermometer, sick fever
🤕 head bandage, hurt
🤢 nauseated, sick disgust
🤮 vomiting, sick
🤧 sneeze, cold sick
🥵 hot face, heat
🥶 cold face, freezing
🥴 woozy, drunk dizzy
😵‍💫 spiral eyes, dizzy confused
🤯 mind blown, exploding head wow
🤠 cowboy, hat
🥳 party face, celebrate birthday
😎 sunglasses, cool
🤓 nerd, geek glasses
🧐 monocle, inspect
😕 confused, puzzled
🫤 diagonal mouth, meh unsure
😟 worried, concern
🙁 slight frown, sad
😮 open mouth, surprise wow
😯 hushed, surprise
😲 astonished, shocked wow
😳 flushed, embarrassed
🥺 pleading, puppy please
🥹 holding back tears, touched proud
😨 fearful, scared
😰 anxious sweat, nervous
😢 crying, sad tear
😭 sobbing, cry sad loud
😱 screaming, fear scared
😖 confounded, struggle
😞 disappointed, sad
😓 downcast sweat, hard work
😩 weary, tired
😫 tired face, exhausted
🥱 yawn, bored tired
😤 steam from nose, triumph proud
😡 angry, mad rage
🤬 swearing, curse angry
😈 smiling devil, evil
💀 skull, dead
💩 poop, pile shit
🤡 clown, joke
👻 ghost, boo halloween
👽 alien, space
🤖 robot, bot machine
😺 smiling cat, kitty
😹 cat tears of joy, laugh
🙈 see no evil, monkey oops
🙉 hear no evil, monkey
🙊 speak no evil, monkey`,
  people: `
👍 thumbs up, +1 yes like ok good
👎 thumbs down, -1 no dislike bad
👏 clapping hands, applause bravo
🙌 raised hands, hooray celebrate
🫶 heart hands, love
👐 open hands, hug
🤝 handshake, deal agree
🙏 folded hands, please thanks pray
👋 waving hand, hello bye hi
🤚 raised back of hand, stop
✋ raised hand, stop high five
🖖 vulcan salute, spock
👌 ok hand, perfect fine
🤌 pinched fingers, italian
🤏 pinching hand, small little
✌️ victory hand, peace two
🤞 crossed fingers, luck hope
🫰 finger heart, love money
🤟 love you gesture, hand
🤘 rock on, metal horns
🤙 call me, shaka hang loose
👈 pointing left, back
👉 pointing right, next
👆 pointing up, above
👇 pointing down, below
☝️ index up, one point
🫵 pointing at you, you
✊ raised fist, power
👊 fist bump, punch
🤜 right fist, bump
🤛 left fist, bump
💪 flexed biceps, strong muscle
👂 ear, listen hear
👃 nose, smell
👀 eyes, look see watching
👁️ eye, look
🧠 brain, smart mind
🫀 anatomical heart, organ
👄 mouth, lips
💋 kiss mark, lips
✍️ writing hand, note
🤳 selfie, phone
💅 nail polish, sassy
🙋 raising hand, question me
🤷 shrug, dunno whatever
🤦 facepalm, doh
🙇 bowing, sorry thanks
💁 tipping hand, info
🙅 no gesture, stop
🙆 ok gesture, yes
👩‍💻 woman at computer, developer
👨‍💻 man at computer, developer
🧑‍💻 person at computer, developer technologist
👩‍🎤 woman singer, rock star
👨‍🎤 man singer, rock star
🧑‍🎤 singer, rock star vocal
🕺 man dancing, dance
💃 woman dancing, dance
👯 people with bunny ears, party dance
🏃 running, run hurry
🚶 walking, walk
🧘 meditation, yoga calm
👶 baby, child
👪 family, people
🧑‍🚀 astronaut, space
🥷 ninja, stealth
🦸 superhero, hero
🧙 mage, wizard magic`,
  nature: `
🐶 dog, puppy pet
🐱 cat, kitty pet
🐭 mouse, animal
🐹 hamster, pet
🐰 rabbit, bunny
🦊 fox, animal
🐻 bear, animal
🐼 panda, bear
🐨 koala, animal
🐯 tiger, animal
🦁 lion, animal
🐮 cow, animal
🐷 pig, animal
🐸 frog, animal
🐵 monkey, animal
🐔 chicken, hen
🐧 penguin, bird
🐦 bird, tweet
🦅 eagle, bird
🦆 duck, bird
🦉 owl, bird night
🦇 bat, night
🐺 wolf, howl
🐴 horse, animal
🦄 unicorn, magic
🐝 bee, honey buzz
🐛 bug, caterpillar
🦋 butterfly, insect
🐌 snail, slow
🐞 ladybug, beetle
🐢 turtle, slow
🐍 snake, python
🦖 dinosaur, t rex
🐙 octopus, sea
🦀 crab, rust
🐠 tropical fish, sea
🐬 dolphin, sea
🐳 whale, sea
🦈 shark, sea
🐘 elephant, big
🦒 giraffe, tall
🦥 sloth, slow lazy
🐿️ chipmunk, squirrel
🦔 hedgehog, animal
🌵 cactus, desert
🎄 christmas tree, holiday
🌲 evergreen, tree
🌳 tree, green
🌴 palm tree, holiday beach
🌱 seedling, grow plant
🌿 herb, leaf plant
🍀 four leaf clover, luck
🍁 maple leaf, autumn
🍂 fallen leaves, autumn
🍄 mushroom, fungus
🌹 rose, flower love
🌻 sunflower, flower
🌸 cherry blossom, flower spring
💐 bouquet, flowers
🌍 globe, earth world
🌙 crescent moon, night
🌚 new moon face, dark
☀️ sun, sunny weather
🌞 sun with face, sunny
⭐ star, favorite
🌟 glowing star, shine
✨ sparkles, shiny new magic
⚡ lightning, fast power high voltage
☁️ cloud, weather
🌧️ rain, weather
⛈️ thunderstorm, weather
❄️ snowflake, cold winter
☃️ snowman, winter
🌈 rainbow, color
🔥 fire, hot lit flame
💧 droplet, water
🌊 wave, sea water
🌪️ tornado, storm chaos`,
  food: `
🍏 green apple, fruit
🍎 red apple, fruit
🍊 orange, tangerine fruit
🍋 lemon, fruit
🍌 banana, fruit
🍉 watermelon, fruit
🍇 grapes, fruit
🍓 strawberry, fruit
🍒 cherries, fruit
🍑 peach, fruit
🍍 pineapple, fruit
🥑 avocado, fruit
🍅 tomato, vegetable
🥕 carrot, vegetable
🌶️ hot pepper, spicy chili
🌽 corn, vegetable
🥐 croissant, breakfast
🍞 bread, toast
🥨 pretzel, snack
🧀 cheese, food
🥞 pancakes, breakfast
🍳 cooking, egg breakfast
🍔 hamburger, burger fast food
🍟 fries, fast food
🍕 pizza, fast food
🌭 hot dog, sausage
🌮 taco, mexican
🥗 salad, healthy
🍝 spaghetti, pasta
🍜 noodles, ramen soup
🍣 sushi, fish
🍚 rice, bowl
🍦 ice cream, soft serve
🍩 doughnut, donut sweet
🍪 cookie, biscuit
🎂 birthday cake, celebrate
🍰 cake, slice sweet
🍫 chocolate, sweet
🍿 popcorn, movie drama
☕ coffee, tea hot drink
🫖 teapot, tea
🧃 juice box, drink
🥤 cup with straw, drink
🍺 beer, drink
🍻 clinking beers, cheers drink
🥂 clinking glasses, cheers toast
🍷 wine, drink
🍸 cocktail, drink
🥃 whisky, tumbler drink
🍾 champagne, bottle celebrate`,
  places: `
🚗 car, drive
🚕 taxi, car
🚌 bus, drive
🚑 ambulance, emergency
🚒 fire engine, emergency
🚚 truck, delivery
🚲 bicycle, bike
🛵 scooter, ride
🚂 train, locomotive
🚇 metro, subway
✈️ airplane, flight travel
🚀 rocket, launch ship fast
🛸 flying saucer, ufo
🚁 helicopter, fly
⛵ sailboat, sea
🚢 ship, sea
⚓ anchor, sea
🚧 construction, work in progress wip
🚦 traffic light, stop
🏠 house, home
🏢 office, building work
🏭 factory, industry
🏖️ beach, holiday
🏔️ mountain, snow
🏕️ camping, tent
🌅 sunrise, morning
🌃 night, city stars
🎡 ferris wheel, fun
🗺️ world map, travel
🧭 compass, direction
🏁 finish flag, done race
🚩 red flag, warning
🏳️‍🌈 rainbow flag, pride`,
  things: `
🎧 headphones, listen music mix
🎤 microphone, sing vocal record
🎙️ studio microphone, record podcast voice
🎚️ level slider, fader mix
🎛️ control knobs, mix studio
🎵 musical note, music song
🎶 musical notes, music song
🎼 score, music staff
🎹 keyboard, piano keys music
🥁 drum, beat percussion
🎸 guitar, rock music
🎻 violin, strings music
🎺 trumpet, brass music
🎷 saxophone, jazz music
🪗 accordion, music
🪘 long drum, percussion
📻 radio, music
🔊 loud, speaker volume up
🔉 medium volume, speaker
🔈 low volume, speaker
🔇 muted, silent speaker off
📢 loudspeaker, announce
📣 megaphone, announce
🔔 bell, notification
🔕 bell off, mute notification
🎬 clapper board, film take action
🎥 movie camera, film
📷 camera, photo
📸 camera flash, photo
📹 video camera, film
🎞️ film frames, movie
📺 television, tv
💿 disc, cd optical
📀 dvd, disc
💾 floppy disk, save
📼 cassette, video tape vhs
💻 laptop, computer
🖥️ desktop computer, screen
⌨️ keyboard keys, type
🖱️ computer mouse, click
📱 phone, mobile
☎️ telephone, call
🔋 battery, power
🔌 plug, power
💡 light bulb, idea
🔦 flashlight, torch
🕯️ candle, light
🧯 fire extinguisher, emergency
💸 flying money, spend
💰 money bag, rich
💵 dollar, money
💳 credit card, pay
💎 gem, diamond
🔧 wrench, fix tool
🔨 hammer, build tool
🛠️ tools, fix build
⚙️ gear, settings
🧰 toolbox, fix
🧲 magnet, attract
🔬 microscope, science
🔭 telescope, space
💊 pill, medicine
💉 syringe, vaccine
🧪 test tube, experiment
🧹 broom, clean
🧻 paper roll, toilet
🛒 cart, shopping
🎁 gift, present
🎈 balloon, party
🎉 party popper, tada celebrate hooray
🎊 confetti, party celebrate
🏆 trophy, win award
🥇 gold medal, first win
🥈 silver medal, second
🥉 bronze medal, third
⚽ soccer, football
🏀 basketball, ball
🎾 tennis, ball
🎯 bullseye, target goal
🎲 die, game random
🎮 game controller, play
♟️ chess pawn, strategy
🧩 puzzle piece, fit
🎨 palette, art paint
🎭 theater masks, drama
🪄 magic wand, magic
📝 memo, note write
✏️ pencil, edit write
🖊️ pen, write
📌 pin, pushpin
📍 location pin, place
📎 paperclip, attach
✂️ scissors, cut
📁 folder, files
📂 open folder, files
📅 calendar, date
🗓️ spiral calendar, date
📊 bar chart, numbers
📈 chart up, growth
📉 chart down, loss
📚 books, read
📖 open book, read
📰 newspaper, news
📦 package, box release
📫 mailbox, post
✉️ envelope, mail letter
📧 e-mail, mail
🔗 link, chain
🔒 locked, secure
🔓 unlocked, open
🔑 key, access password
🗑️ trash, delete bin
⏰ alarm clock, time wake
⏱️ stopwatch, time
⏳ hourglass, wait time
🕐 one o'clock, time
🔍 magnifier, search find
💣 bomb, explode
🪦 headstone, dead rip
👑 crown, king queen
👓 glasses, see
🎩 top hat, magic
👕 t-shirt, clothes
👟 sneaker, shoe run`,
  symbols: `
❤️ red heart, love
🧡 orange heart, love
💛 yellow heart, love
💚 green heart, love
💙 blue heart, love
💜 purple heart, love
🖤 black heart, love
🤍 white heart, love
🤎 brown heart, love
💔 broken heart, sad
❣️ heart exclamation, love
💕 two hearts, love
💖 sparkling heart, love
💯 hundred points, perfect 100 full
✅ check mark button, done yes ok
✔️ check mark, done yes
☑️ checked box, done
❌ cross mark, no wrong
❎ cross button, no
➕ plus, add
➖ minus, less
➗ divide, math
♾️ infinity, forever
❓ question mark, what
❔ white question mark, what
❗ exclamation mark, important
‼️ double exclamation, important
⁉️ exclamation question, what
⚠️ warning, caution
🚫 prohibited, no forbidden
⛔ no entry, stop
🛑 stop sign, halt
🔴 red circle, record
🟠 orange circle, dot
🟡 yellow circle, dot
🟢 green circle, go
🔵 blue circle, dot
🟣 purple circle, dot
⚫ black circle, dot
⚪ white circle, dot
🟥 red square, block
🟩 green square, block
🔺 red triangle up, up
🔻 red triangle down, down
▶️ play, start
⏸️ pause, hold
⏹️ stop button, halt
⏺️ record button, rec
⏭️ next track, skip
⏮️ previous track, back
⏩ fast forward, speed
⏪ rewind, back
🔀 shuffle, random
🔁 repeat, loop
🔂 repeat once, loop
🔄 counterclockwise arrows, refresh sync
⬆️ up arrow, up
⬇️ down arrow, down
⬅️ left arrow, back
➡️ right arrow, next
↩️ return arrow, reply back
🔙 back arrow, return
🔜 soon, arrow
🔝 top, arrow
🆕 new, button
🆗 ok button, fine
🆒 cool, button
🆘 sos, help
🔟 ten, keycap
#️⃣ hash, number
0️⃣ zero, keycap
1️⃣ one, keycap
2️⃣ two, keycap
3️⃣ three, keycap
💤 zzz, sleep
💬 speech balloon, chat message
💭 thought balloon, think
🗯️ anger bubble, shout
💥 collision, boom bang
💫 dizzy, star
💦 sweat drops, water
💨 dash, fast wind`,
};

function parseEmoji(lines: string): Emoji[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const gap = line.indexOf(" ");
      const keywords = line.slice(gap + 1);
      return { char: line.slice(0, gap), name: keywords.split(",", 1)[0]!, keywords: keywords.replace(",", "") };
    });
}

export const EMOJI_BY_GROUP: Readonly<Record<EmojiGroup, readonly Emoji[]>> = Object.fromEntries(
  GROUPS.map((group) => [group, parseEmoji(DATA[group])]),
) as unknown as Record<EmojiGroup, Emoji[]>;

export const EMOJI: readonly Emoji[] = GROUPS.flatMap((group) => EMOJI_BY_GROUP[group]);

/** Returns emoji whose search terms match the query, best first; underscores and colons count as spaces, so `:thumbs_up` works. */
export function findEmoji(query: string, limit: number): Emoji[] {
  return searchItems(EMOJI, query.replace(/[_:]+/g, " "), ({ keywords }) => keywords).slice(0, limit);
}
