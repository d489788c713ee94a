/**
 * Letters as FTS5's tokenizer `unicode61 remove_diacritics 2` reads them: which characters separate words, and which are the
 * same letter. The tables are FTS5's own; a test compares every character.
 */

/** Characters that separate words: for each range the distance from the end of the last one, and its length, in base 36. */
const SEPARATORS =
  "1-1a b-6 r-5 r-1a 2-6 3 2-2 3 4 o w cr-3 d-d 6-6 2 2-g 6 8-1 2 2-8 2-6 7-3 3 3-1p 6 9 " +
  "6-1 2 33 3w-7 5t-5 16-1 5 2-1i 18-1 c-4 2-l 3-1 18-k b-3 3 2s 2-e 3-6 g-1 2-d 2 2 v-q " +
  "2k-a 1n-8 3-3 t-3 2-8 2-2 2-4 3-e r-2 3 3q-q 2-3 1j-2 2-h 2-6 b-3 b h-2 1l 2-6 3-1 3-2 a " +
  "b-1 f-1 7-1 6-2 1l 2-4 5-1 3-2 4 v-1 4 c-2 1l 2-7 2-2 2-2 l-1 d-1 g-2 1l 2-6 3-1 3-2 9-1 " +
  "b-1 d i 1o-4 4-2 2-3 a s-7 7-2 1n-6 2-2 2-3 8-1 c-1 s 3-1 1l 2-6 2-2 2-3 8-1 c-1 v-1 " +
  "1n-6 2-2 2-3 a b-1 m 9-1 1z 5-5 2 2-7 j-2 1p 3-6 5 8-8 b-1 2e 3-5 2-1 c-5 1g-u l-b 1e-m " +
  "6-a 2-z 2-e 2-c 29-j c-5 7-3 5-2 2-2 3-6 4-3 e-b 2 b-5 2k gy-b 14-9 2v h9-1 i r-1 27-2 " +
  "11-2 u-4 s-1 v-1 1t-y 2-3 2 z-e 4b 3b-b 5-b 5 4-1 2z-g 8-1 l-x o-4 3-1 1i-9 2-s 3 x-6 " +
  "2-5 2b-4 1c-g m-y 4-2 v-c 1l-d 9-3 11-j 4-4 1r-1 1t-7 9-o 5 5-2 5o-12 m-3 ce 2-2 c-2 e-2 " +
  "e-2 e-1 2-2s 6-5 b-4 c-4 i-p n-w g-1 2-3 2-1 b 2-2 6-5 2 2 2 5 c-1 5-4 6-3 2 1t-gz d-12 " +
  "q-a 2a-25 n-e7 2-38 v-qg 4-9 b0-5 5-2 8-3 2-1 35 f 2p-26 2-b 1x-p 2-2g d-5x r-b 5-4 4-o " +
  "a-6 6-1 6-2 2i-3 4 2j 45-1 5-9 x-z t-u c-t 9 g-v b-12 g-1q 2-73 535-1r h3l-1i 1k-1 7i-2 " +
  "2o-f x 29-7 9-m a-1 2w-1 3c 4 5 o-8 b-3 1n-3 9-1 1f-g a-1 h-h 7-2 18-9 o-c c x-3 1c-q " +
  "h-1 22-d d 9-1 f-3 o-2 2 1h 2-2 3-1 6-1 2 t-1 c-6 4-1 6l-a fn5 b 3t-f al-1 59-1 3-p 7-6 " +
  "a-y 2-i 2-3 44 2-e b-6 r-5 r-a 3f-6 2-6 b-6 75-2 1h-8 1m-g 7-b 1h-19 bm 1d w7 5k w 5e-2 " +
  "2-1 6-3 15-2 5 h-8 13 56-6 xt-2 1i-l 1f-2 1a-h 1r-2 11-d c-3 1p-2 1d-d 5-3 yr-c 2pl-3 " +
  "ese-19 h-3 j1q-6t b-12 3-50 z-1x 57-2e ob q w q w q w q w q 4kt-1 7j-17 5-2r d-e 3-d 3-e " +
  "2-e 1d-u 2-1n 5-16 24-s e-16 6-8 8-1 4v-w g-5 2-1x 4-j d-10 2-4 m-g g-1q 2 2-51 2-3 4-1p " +
  "3-3 d-n 44-1x 5-a 1d-1x 1n-37 gwi6 v-2n 3l-6n";

/** Letters that are equal in the index. The first of each group is stored. */
const SAME_LETTERS =
  "aAÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎǞǟǺǻȀȁȂȃȦȧḀḁẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặÅ bBḂḃḄḅḆḇ cCÇçĆćĈĉĊċČčḈḉ " +
  "dDĎďḊḋḌḍḎḏḐḑḒḓ eEÈÉÊËèéêëĒēĔĕĖėĘęĚěȄȅȆȇȨȩḔḕḖḗḘḙḚḛḜḝẸẹẺẻẼẽẾếỀềỂểỄễỆệ fFḞḟ " +
  "gGĜĝĞğĠġĢģǦǧǴǵḠḡ hHĤĥȞȟḢḣḤḥḦḧḨḩḪḫẖ iIÌÍÎÏìíîïĨĩĪīĬĭĮįİǏǐȈȉȊȋḬḭḮḯỈỉỊị jJĴĵǰ kKĶķǨǩḰḱḲḳḴḵK " +
  "lLĹĺĻļĽľḶḷḸḹḺḻḼḽ mMḾḿṀṁṂṃ nNÑñŃńŅņŇňǸǹṄṅṆṇṈṉṊṋ " +
  "oOÒÓÔÕÖòóôõöŌōŎŏŐőƠơǑǒǪǫǬǭȌȍȎȏȪȫȬȭȮȯȰȱṌṍṎṏṐṑṒṓỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợ pPṔṕṖṗ qQ " +
  "rRŔŕŖŗŘřȐȑȒȓṘṙṚṛṜṝṞṟ sSŚśŜŝŞşŠšſȘșṠṡṢṣṤṥṦṧṨṩẛ tTŢţŤťȚțṪṫṬṭṮṯṰṱẗ " +
  "uUÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųƯưǓǔǕǖǗǘǙǚǛǜȔȕȖȗṲṳṴṵṶṷṸṹṺṻỤụỦủỨứỪừỬửỮữỰự vVṼṽṾṿ wWŴŵẀẁẂẃẄẅẆẇẈẉẘ " +
  "xXẊẋẌẍ yYÝýÿŶŷŸȲȳẎẏẙỲỳỴỵỶỷỸỹ zZŹźŻżŽžẐẑẒẓẔẕ μµΜ æÆ ðÐ øØ þÞ đĐ ħĦ ĳĲ ŀĿ łŁ ŋŊ œŒ ŧŦ ɓƁ " +
  "ƃƂ ƅƄ ɔƆ ƈƇ ɖƉ ɗƊ ƌƋ ǝƎ əƏ ɛƐ ƒƑ ɠƓ ɣƔ ɩƖ ɨƗ ƙƘ ɯƜ ɲƝ ɵƟ ƣƢ ƥƤ ʀƦ ƨƧ ʃƩ ƭƬ ʈƮ ʊƱ ʋƲ ƴƳ " +
  "ƶƵ ʒƷ ƹƸ ƽƼ ǆǄǅ ǉǇǈ ǌǊǋ ǡǠ ǣǢ ǥǤ ǯǮ ǳǱǲ ƕǶ ƿǷ ǽǼ ǿǾ ȝȜ ƞȠ ȣȢ ȥȤ ⱥȺ ȼȻ ƚȽ ⱦȾ ɂɁ ƀɃ ʉɄ ʌɅ " +
  "ɇɆ ɉɈ ɋɊ ɍɌ ɏɎ ͱͰ ͳͲ ͷͶ άΆ έΈ ήΉ ίΊ όΌ ύΎ ώΏ αΑ βΒϐ γΓ δΔ εΕϵ ζΖ ηΗ θΘϑϴ ιΙι κΚϰ λΛ νΝ " +
  "ξΞ οΟ πΠϖ ρΡϱ σΣς τΤ υΥ φΦϕ χΧ ψΨ ωΩΩ ϊΪ ϋΫ ϗϏ ϙϘ ϛϚ ϝϜ ϟϞ ϡϠ ϣϢ ϥϤ ϧϦ ϩϨ ϫϪ ϭϬ ϯϮ ϸϷ ϲϹ " +
  "ϻϺ ͻϽ ͼϾ ͽϿ ѐЀ ёЁ ђЂ ѓЃ єЄ ѕЅ іІ їЇ јЈ љЉ њЊ ћЋ ќЌ ѝЍ ўЎ џЏ аА бБ вВ гГ дД еЕ жЖ зЗ иИ " +
  "йЙ кК лЛ мМ нН оО пП рР сС тТ уУ фФ хХ цЦ чЧ шШ щЩ ъЪ ыЫ ьЬ эЭ юЮ яЯ ѡѠ ѣѢ ѥѤ ѧѦ ѩѨ ѫѪ " +
  "ѭѬ ѯѮ ѱѰ ѳѲ ѵѴ ѷѶ ѹѸ ѻѺ ѽѼ ѿѾ ҁҀ ҋҊ ҍҌ ҏҎ ґҐ ғҒ ҕҔ җҖ ҙҘ қҚ ҝҜ ҟҞ ҡҠ ңҢ ҥҤ ҧҦ ҩҨ ҫҪ ҭҬ " +
  "үҮ ұҰ ҳҲ ҵҴ ҷҶ ҹҸ һҺ ҽҼ ҿҾ ӏӀ ӂӁ ӄӃ ӆӅ ӈӇ ӊӉ ӌӋ ӎӍ ӑӐ ӓӒ ӕӔ ӗӖ әӘ ӛӚ ӝӜ ӟӞ ӡӠ ӣӢ ӥӤ ӧӦ " +
  "өӨ ӫӪ ӭӬ ӯӮ ӱӰ ӳӲ ӵӴ ӷӶ ӹӸ ӻӺ ӽӼ ӿӾ ԁԀ ԃԂ ԅԄ ԇԆ ԉԈ ԋԊ ԍԌ ԏԎ ԑԐ ԓԒ ԕԔ ԗԖ ԙԘ ԛԚ ԝԜ ԟԞ ԡԠ " +
  "ԣԢ ԥԤ ԧԦ աԱ բԲ գԳ դԴ եԵ զԶ էԷ ըԸ թԹ ժԺ իԻ լԼ խԽ ծԾ կԿ հՀ ձՁ ղՂ ճՃ մՄ յՅ նՆ շՇ ոՈ չՉ պՊ " +
  "ջՋ ռՌ սՍ վՎ տՏ րՐ ցՑ ւՒ փՓ քՔ օՕ ֆՖ ⴀႠ ⴁႡ ⴂႢ ⴃႣ ⴄႤ ⴅႥ ⴆႦ ⴇႧ ⴈႨ ⴉႩ ⴊႪ ⴋႫ ⴌႬ ⴍႭ ⴎႮ ⴏႯ ⴐႰ " +
  "ⴑႱ ⴒႲ ⴓႳ ⴔႴ ⴕႵ ⴖႶ ⴗႷ ⴘႸ ⴙႹ ⴚႺ ⴛႻ ⴜႼ ⴝႽ ⴞႾ ⴟႿ ⴠჀ ⴡჁ ⴢჂ ⴣჃ ⴤჄ ⴥჅ ⴧჇ ⴭჍ ßẞ ỻỺ ỽỼ ỿỾ ἀἈ ἁἉ " +
  "ἂἊ ἃἋ ἄἌ ἅἍ ἆἎ ἇἏ ἐἘ ἑἙ ἒἚ ἓἛ ἔἜ ἕἝ ἠἨ ἡἩ ἢἪ ἣἫ ἤἬ ἥἭ ἦἮ ἧἯ ἰἸ ἱἹ ἲἺ ἳἻ ἴἼ ἵἽ ἶἾ ἷἿ ὀὈ " +
  "ὁὉ ὂὊ ὃὋ ὄὌ ὅὍ ὑὙ ὓὛ ὕὝ ὗὟ ὠὨ ὡὩ ὢὪ ὣὫ ὤὬ ὥὭ ὦὮ ὧὯ ᾀᾈ ᾁᾉ ᾂᾊ ᾃᾋ ᾄᾌ ᾅᾍ ᾆᾎ ᾇᾏ ᾐᾘ ᾑᾙ ᾒᾚ ᾓᾛ " +
  "ᾔᾜ ᾕᾝ ᾖᾞ ᾗᾟ ᾠᾨ ᾡᾩ ᾢᾪ ᾣᾫ ᾤᾬ ᾥᾭ ᾦᾮ ᾧᾯ ᾰᾸ ᾱᾹ ὰᾺ άΆ ᾳᾼ ὲῈ έΈ ὴῊ ήΉ ῃῌ ῐῘ ῑῙ ὶῚ ίΊ ῠῨ ῡῩ ὺῪ " +
  "ύΎ ῥῬ ὸῸ όΌ ὼῺ ώΏ ῳῼ ⅎℲ ⅰⅠ ⅱⅡ ⅲⅢ ⅳⅣ ⅴⅤ ⅵⅥ ⅶⅦ ⅷⅧ ⅸⅨ ⅹⅩ ⅺⅪ ⅻⅫ ⅼⅬ ⅽⅭ ⅾⅮ ⅿⅯ ↄↃ ⰰⰀ ⰱⰁ ⰲⰂ ⰳⰃ " +
  "ⰴⰄ ⰵⰅ ⰶⰆ ⰷⰇ ⰸⰈ ⰹⰉ ⰺⰊ ⰻⰋ ⰼⰌ ⰽⰍ ⰾⰎ ⰿⰏ ⱀⰐ ⱁⰑ ⱂⰒ ⱃⰓ ⱄⰔ ⱅⰕ ⱆⰖ ⱇⰗ ⱈⰘ ⱉⰙ ⱊⰚ ⱋⰛ ⱌⰜ ⱍⰝ ⱎⰞ ⱏⰟ ⱐⰠ " +
  "ⱑⰡ ⱒⰢ ⱓⰣ ⱔⰤ ⱕⰥ ⱖⰦ ⱗⰧ ⱘⰨ ⱙⰩ ⱚⰪ ⱛⰫ ⱜⰬ ⱝⰭ ⱞⰮ ⱡⱠ ɫⱢ ᵽⱣ ɽⱤ ⱨⱧ ⱪⱩ ⱬⱫ ɑⱭ ɱⱮ ɐⱯ ɒⱰ ⱳⱲ ⱶⱵ ȿⱾ ɀⱿ " +
  "ⲁⲀ ⲃⲂ ⲅⲄ ⲇⲆ ⲉⲈ ⲋⲊ ⲍⲌ ⲏⲎ ⲑⲐ ⲓⲒ ⲕⲔ ⲗⲖ ⲙⲘ ⲛⲚ ⲝⲜ ⲟⲞ ⲡⲠ ⲣⲢ ⲥⲤ ⲧⲦ ⲩⲨ ⲫⲪ ⲭⲬ ⲯⲮ ⲱⲰ ⲳⲲ ⲵⲴ ⲷⲶ ⲹⲸ " +
  "ⲻⲺ ⲽⲼ ⲿⲾ ⳁⳀ ⳃⳂ ⳅⳄ ⳇⳆ ⳉⳈ ⳋⳊ ⳍⳌ ⳏⳎ ⳑⳐ ⳓⳒ ⳕⳔ ⳗⳖ ⳙⳘ ⳛⳚ ⳝⳜ ⳟⳞ ⳡⳠ ⳣⳢ ⳬⳫ ⳮⳭ ⳳⳲ ꙁꙀ ꙃꙂ ꙅꙄ ꙇꙆ ꙉꙈ " +
  "ꙋꙊ ꙍꙌ ꙏꙎ ꙑꙐ ꙓꙒ ꙕꙔ ꙗꙖ ꙙꙘ ꙛꙚ ꙝꙜ ꙟꙞ ꙡꙠ ꙣꙢ ꙥꙤ ꙧꙦ ꙩꙨ ꙫꙪ ꙭꙬ ꚁꚀ ꚃꚂ ꚅꚄ ꚇꚆ ꚉꚈ ꚋꚊ ꚍꚌ ꚏꚎ ꚑꚐ ꚓꚒ ꚕꚔ " +
  "ꚗꚖ ꜣꜢ ꜥꜤ ꜧꜦ ꜩꜨ ꜫꜪ ꜭꜬ ꜯꜮ ꜳꜲ ꜵꜴ ꜷꜶ ꜹꜸ ꜻꜺ ꜽꜼ ꜿꜾ ꝁꝀ ꝃꝂ ꝅꝄ ꝇꝆ ꝉꝈ ꝋꝊ ꝍꝌ ꝏꝎ ꝑꝐ ꝓꝒ ꝕꝔ ꝗꝖ ꝙꝘ ꝛꝚ " +
  "ꝝꝜ ꝟꝞ ꝡꝠ ꝣꝢ ꝥꝤ ꝧꝦ ꝩꝨ ꝫꝪ ꝭꝬ ꝯꝮ ꝺꝹ ꝼꝻ ᵹꝽ ꝿꝾ ꞁꞀ ꞃꞂ ꞅꞄ ꞇꞆ ꞌꞋ ɥꞍ ꞑꞐ ꞓꞒ ꞡꞠ ꞣꞢ ꞥꞤ ꞧꞦ ꞩꞨ ɦꞪ ａＡ " +
  "ｂＢ ｃＣ ｄＤ ｅＥ ｆＦ ｇＧ ｈＨ ｉＩ ｊＪ ｋＫ ｌＬ ｍＭ ｎＮ ｏＯ ｐＰ ｑＱ ｒＲ ｓＳ ｔＴ ｕＵ ｖＶ ｗＷ ｘＸ ｙＹ ｚＺ 𐐨𐐀 𐐩𐐁 " +
  "𐐪𐐂 𐐫𐐃 𐐬𐐄 𐐭𐐅 𐐮𐐆 𐐯𐐇 𐐰𐐈 𐐱𐐉 𐐲𐐊 𐐳𐐋 𐐴𐐌 𐐵𐐍 𐐶𐐎 𐐷𐐏 𐐸𐐐 𐐹𐐑 𐐺𐐒 " +
  "𐐻𐐓 𐐼𐐔 𐐽𐐕 𐐾𐐖 𐐿𐐗 𐑀𐐘 𐑁𐐙 𐑂𐐚 𐑃𐐛 𐑄𐐜 𐑅𐐝 𐑆𐐞 𐑇𐐟 𐑈𐐠 𐑉𐐡 𐑊𐐢 𐑋𐐣 " +
  "𐑌𐐤 𐑍𐐥 𐑎𐐦 𐑏𐐧";

/** Combining accents, which words lose, in base 16. */
const ACCENTS =
  "300 301 302 303 304 306 307 308 309 30a 30b 30c 30f 311 31b 323 324 325 326 327 328 32d " +
  "32e 330 331";

const SEPARATOR_RANGES = rangesIn(SEPARATORS);
const FORMS = new Map(SAME_LETTERS.split(" ").map((forms) => [[...forms][0] ?? "", forms]));
const FOLDED = new Map(
  [...FORMS].flatMap(([letter, forms]) => [...forms].map((form) => [form, letter] as const)),
);

export const SINGLE_ACCENTS: readonly string[] = ACCENTS.split(" ").map((point) =>
  String.fromCodePoint(parseInt(point, 16))
);

/** Character class of GLOB with all characters that separate words. */
export const SEPARATOR_CLASS = SEPARATOR_RANGES.map(([first, last]) =>
  first === last ? classed(first) : `${classed(first)}-${classed(last)}`
).join("");

/** Returns the words of a text as the index stores them. */
export function indexedWords(text: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  for (const character of text) {
    if (SINGLE_ACCENTS.includes(character)) continue;
    if (!isSeparator(character)) word += FOLDED.get(character) ?? character;
    else if (word !== "") {
      words.push(word);
      word = "";
    }
  }
  return word === "" ? words : [...words, word];
}

/** Returns a letter of the index as a GLOB pattern of all its forms. */
export function letterPattern(letter: string): string {
  const forms = FORMS.get(letter);
  return forms === undefined ? letter : `[${forms}]`;
}

function isSeparator(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  let [low, high] = [0, SEPARATOR_RANGES.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [, last] = SEPARATOR_RANGES[middle] ?? [0, 0];
    if (last < point) low = middle + 1;
    else high = middle;
  }
  const [first] = SEPARATOR_RANGES[low] ?? [Infinity];
  return first <= point;
}

function rangesIn(table: string): readonly (readonly [first: number, last: number])[] {
  let end = 0;
  return table.split(" ").map((range) => {
    const [distance = "", more = "0"] = range.split("-");
    const first = end + parseInt(distance, 36);
    end = first + parseInt(more, 36);
    return [first, end] as const;
  });
}

function classed(point: number): string {
  return String.fromCodePoint(point);
}
