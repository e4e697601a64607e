/** The pictures of the demo's offers and people, drawn for it, as SVG. */

const scene = (ground: string, table: string, things: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 640 480">` +
  `<rect width="640" height="480" fill="${ground}"/><rect y="360" width="640" height="120" fill="${table}"/>${things}</svg>`;

interface Face {
  readonly ground: string;
  readonly skin: string;
  readonly hair: string;
  readonly shirt: string;
  /** The outline of the hair behind and above the face. */
  readonly style: 'short' | 'long' | 'curly' | 'bun';
  readonly hasGlasses?: true;
}

const STYLES: Record<Face['style'], string> = {
  short: '<path d="M70 112q0-66 58-66t58 66l-10 6q-6-34-48-34t-48 34z"/>',
  long: '<path d="M62 196V108q0-64 66-64t66 64v88h-30V96H92v100z"/>',
  curly:
    '<circle cx="82" cy="92" r="30"/><circle cx="106" cy="62" r="30"/><circle cx="150" cy="62" r="30"/><circle cx="174" cy="92" r="30"/><circle cx="128" cy="72" r="34"/>',
  bun: '<circle cx="128" cy="40" r="24"/><path d="M68 122q-4-68 60-68t60 68l-12-4q-10-30-48-30t-48 30z"/>',
};

function portrait({ ground, skin, hair, shirt, style, hasGlasses }: Face): string {
  const glasses =
    '<g fill="none" stroke="#2b2320" stroke-width="5"><circle cx="106" cy="122" r="16"/><circle cx="150" cy="122" r="16"/><path d="M122 120q6-5 12 0"/></g>';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256"><rect width="256" height="256" fill="${ground}"/>` +
    `<g fill="${hair}">${style === 'long' ? STYLES.long : ''}</g>` +
    `<path d="M36 256q0-66 92-66t92 66z" fill="${shirt}"/><path d="M106 160h44v34q-22 20-44 0z" fill="${skin}"/>` +
    `<ellipse cx="128" cy="122" rx="52" ry="60" fill="${skin}"/>` +
    `<g fill="${hair}">${style === 'long' ? '<path d="M74 118q2-62 54-62t54 62q-12-34-54-36-42 2-54 36z"/>' : STYLES[style]}</g>` +
    `<circle cx="106" cy="122" r="5.5" fill="#2b2320"/><circle cx="150" cy="122" r="5.5" fill="#2b2320"/>` +
    `<path d="M108 150q20 17 40 0" fill="none" stroke="#2b2320" stroke-width="5" stroke-linecap="round"/>${hasGlasses ? glasses : ''}</svg>`
  );
}

/** Of offers, 640 × 480 pixels. */
export const OFFER_DRAWINGS = {
  sneakers: scene(
    '#bfe0d6',
    '#7fb8a8',
    [
      { x: 70, y: 190, body: '#d9553b' },
      { x: 200, y: 240, body: '#e8a33d' },
    ]
      .map(
        ({ x, y, body }) =>
          `<g transform="translate(${x} ${y})"><path d="M20 130q-14-62 8-112 46 34 96 2 44 66 130 76 46 8 40 52z" fill="${body}"/>` +
          `<path d="M6 124h294q14 0 14 14t-14 18H20q-20-2-14-32z" fill="#fffaf0"/><path d="M28 18q46 34 96 2l10 16q-56 36-112 4z" fill="#fff" opacity=".7"/>` +
          `<path d="M128 66l34-20M150 86l32-22M176 102l28-22" stroke="#fffaf0" stroke-width="9" stroke-linecap="round"/></g>`,
      )
      .join(''),
  ),
  goldfish: scene(
    '#dcebf5',
    '#b98a5e',
    '<ellipse cx="320" cy="246" rx="176" ry="160" fill="#9fd0e6"/><path d="M150 208q170-34 340 0-14-70-70-110H220q-56 40-70 110z" fill="#eef8fc"/>' +
      '<path d="M190 336q60-34 130-18t130 18q-54 68-130 70-76-2-130-70z" fill="#e3c78f"/><path d="M420 340q-34-54-6-112 30 50 22 112zM444 330q-6-36 20-70 8 40 0 66z" fill="#4f9a6a"/>' +
      '<ellipse cx="290" cy="264" rx="74" ry="42" fill="#ee7b30"/><path d="M352 264l62-44q14 44 0 88z" fill="#f29b4c"/><path d="M280 226q26-36 50 4z" fill="#f29b4c"/>' +
      '<circle cx="250" cy="256" r="9" fill="#2b2320"/><circle cx="218" cy="196" r="9" fill="#fff" opacity=".8"/><circle cx="204" cy="168" r="6" fill="#fff" opacity=".8"/>' +
      '<path d="M216 98h208" stroke="#fff" stroke-width="12" stroke-linecap="round"/>',
  ),
  towels: scene(
    '#f4e3d3',
    '#c79a78',
    ['#3f7d8c', '#f2f0ea', '#e2b33c', '#b4533f']
      .map(
        (color, index) =>
          `<g transform="translate(150 ${288 - index * 66})"><rect width="340" height="68" rx="32" fill="${color}"/><path d="M300 12q22 22 0 44" fill="none" stroke="#2b2320" stroke-opacity=".25" stroke-width="7"/>` +
          `<path d="M36 22h220M36 46h220" stroke="#fff" stroke-opacity=".45" stroke-width="5"/></g>`,
      )
      .join(''),
  ),
  paperbacks: scene(
    '#e7dcf0',
    '#8a6a52',
    '<rect x="140" y="296" width="340" height="64" rx="8" fill="#3c6e71"/><rect x="166" y="308" width="314" height="40" fill="#f6efe2"/>' +
      '<rect x="164" y="232" width="330" height="64" rx="8" fill="#c0492f"/><rect x="164" y="244" width="306" height="40" fill="#f6efe2"/>' +
      '<rect x="128" y="168" width="330" height="64" rx="8" fill="#e0a82e"/><rect x="154" y="180" width="304" height="40" fill="#f6efe2"/>' +
      '<path d="M250 168q60-66 130-40l26 36q-70-20-120 4z" fill="#fffaf0"/><path d="M250 168q-40-60-110-52l-22 44q74-16 132 8z" fill="#fff"/>' +
      '<path d="M160 140q40-6 66 12M284 144q36-16 74-6" stroke="#b8ab98" stroke-width="5" fill="none"/>',
  ),
  coffee: scene(
    '#f6d9a8',
    '#8c5a3c',
    '<ellipse cx="310" cy="374" rx="210" ry="38" fill="#fffaf0"/><path d="M170 190h270v70q0 108-135 108T170 260z" fill="#3b7a78"/>' +
      '<path d="M436 216q84-14 76 54-8 56-92 48" fill="none" stroke="#3b7a78" stroke-width="26"/><ellipse cx="305" cy="190" rx="135" ry="32" fill="#2f6462"/>' +
      '<ellipse cx="305" cy="194" rx="116" ry="24" fill="#5b3524"/><path d="M262 194q24-18 43 0 18-18 43 0-18 16-43 18-24-2-43-18z" fill="#d9a977"/>' +
      '<path d="M260 138q-24-34 6-62 26-26 4-58M336 138q-24-34 6-62 26-26 4-58" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="12" stroke-linecap="round"/>',
  ),
  bread: scene(
    '#fbe7c6',
    '#a9744a',
    '<rect x="80" y="330" width="480" height="44" rx="20" fill="#6f4a30"/><path d="M110 336q-20-190 210-190t210 190z" fill="#c98335"/>' +
      '<path d="M134 330q-4-158 186-160t186 160z" fill="#de9c4b"/><path d="M210 212l46 84M290 184l44 112M372 184l40 112M444 214l30 82" stroke="#f7d9a3" stroke-width="20" stroke-linecap="round"/>' +
      '',
  ),
  ramen: scene(
    '#f7c9b4',
    '#5b3a34',
    '<path d="M120 220h400q0 158-130 178v14H250v-14Q120 378 120 220z" fill="#2f4858"/><ellipse cx="320" cy="222" rx="200" ry="58" fill="#e8b964"/>' +
      '<path d="M170 222q40-30 76 0t76 0 76 0 70-4M190 244q40-26 72 0t72 0 72 0" fill="none" stroke="#fbe9b8" stroke-width="13" stroke-linecap="round"/>' +
      '<ellipse cx="240" cy="196" rx="46" ry="26" fill="#fffdf6"/><ellipse cx="240" cy="194" rx="22" ry="13" fill="#f0a02f"/>' +
      '<path d="M398 160l58 14-14 66-58-14z" fill="#27402e"/><circle cx="330" cy="188" r="9" fill="#5fa05a"/><circle cx="356" cy="206" r="8" fill="#5fa05a"/><circle cx="312" cy="206" r="7" fill="#5fa05a"/>' +
      '<path d="M360 190L590 30M388 196L606 62" stroke="#b0482f" stroke-width="13" stroke-linecap="round"/><path d="M136 296q184 60 368 0" fill="none" stroke="#e86f4a" stroke-width="12"/>',
  ),
  bouquet: scene(
    '#d9e6cf',
    '#b79a7a',
    '<path d="M320 420L250 190M320 420l-10-250M320 420l70-236M320 420l130-180M320 420L190 250" stroke="#4f8a55" stroke-width="11"/>' +
      [
        [190, 220, '#e2725b'],
        [254, 156, '#f2c14e'],
        [322, 124, '#c8578c'],
        [394, 154, '#f7f3ea'],
        [452, 214, '#e2725b'],
        [322, 216, '#8f6fc0'],
      ]
        .map(([x, y, color]) =>
          [0, 72, 144, 216, 288]
            .map(
              (turn) =>
                `<ellipse cx="${x}" cy="${Number(y) - 30}" rx="24" ry="32" fill="${color}" transform="rotate(${turn} ${x} ${y})"/>`,
            )
            .concat(`<circle cx="${x}" cy="${y}" r="18" fill="#5b3a24"/>`)
            .join(''),
        )
        .join('') +
      '<path d="M230 290q90 50 180 0l-54 160h-72z" fill="#f4ead8"/><path d="M262 356h116l-10 30H272z" fill="#c0492f"/>',
  ),
  icecream: scene(
    '#fde2e4',
    '#e5989b',
    '<path d="M214 240h212l-24 170q-82 30-164 0z" fill="#4d8b9b"/><path d="M222 290h196l-6 44H228z" fill="#fffaf0"/>' +
      '<circle cx="256" cy="196" r="70" fill="#fff3d6"/><circle cx="384" cy="196" r="70" fill="#8a5a44"/><circle cx="320" cy="130" r="72" fill="#f28fa2"/>' +
      '<path d="M200 236h240v26q-24 26-48 0t-48 0-48 0-48 0-48-2z" fill="#4d8b9b"/><path d="M372 90L440 20" stroke="#d9a05b" stroke-width="22" stroke-linecap="round"/>' +
      '<path d="M284 108l16-12M330 90l18 8M300 148l-14 12M352 142l14 12" stroke="#fff" stroke-width="9" stroke-linecap="round"/>',
  ),
} as const;

/** Of people, 256 × 256 pixels. */
export const FACE_DRAWINGS = {
  mia: portrait({ ground: '#f2c879', skin: '#f1c6a5', hair: '#a5482a', shirt: '#3c6e71', style: 'bun' }),
  theo: portrait({
    ground: '#a9cfd8',
    skin: '#e8b48f',
    hair: '#3a2a22',
    shirt: '#c0492f',
    style: 'short',
    hasGlasses: true,
  }),
  sofia: portrait({ ground: '#f4b6a6', skin: '#c98f66', hair: '#2b2320', shirt: '#f4ead8', style: 'long' }),
  amara: portrait({ ground: '#d7c5ea', skin: '#7c4f35', hair: '#241a17', shirt: '#e8a33d', style: 'curly' }),
  tess: portrait({ ground: '#cfe3c4', skin: '#f6d3b8', hair: '#e3b85c', shirt: '#7a4f8f', style: 'long' }),
  hugo: portrait({ ground: '#f0e2c4', skin: '#f0c3a0', hair: '#8a8580', shirt: '#2f4858', style: 'short' }),
} as const;
