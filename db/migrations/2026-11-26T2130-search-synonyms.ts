import { type Kysely, sql } from 'kysely';

/**
 * A search finds a word in both numbers, and in the other words of its group, in English and in French: "shoes" finds
 * "soulier". Texts are stored as they were; the words that somebody types are widened.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { found, finding } = bothWays(GROUPS);
  await sql`
    create function word_forms(word text) returns text[] language sql immutable strict parallel safe as $$
      select case when word collate "C" ~ '^[a-z]{4,}$' then array_remove(array[
        case when word ~ '[^s]s$|x$' then left(word, -1) end,
        case when word ~ '.{3}(s|x|z|ch|sh)es$' then left(word, -2) end,
        case when word ~ '.{2}[^aeiou]ies$' then left(word, -3) || 'y' end,
        case when word ~ '.{2}[^aeiou]y$' then left(word, -1) || 'ies' end,
        case when word ~ '.{2}[^e]aux$' then left(word, -3) || 'al' end,
        case when word ~ '.{3}al$' then left(word, -2) || 'aux' end], null) else '{}' end
    $$;
    comment on function word_forms is
      'the singulars of a folded word in English and French, and plurals that do not have the word in them';

    create function word_synonyms(word text) returns text[] language plpgsql immutable strict parallel safe as $$
    begin
      return array(select jsonb_array_elements_text(${sql.lit(found)}::jsonb -> word));
    end $$;
    comment on function word_synonyms is 'the words that a folded word stands for in a search, itself included';

    create function words_meaning(word text) returns text[] language plpgsql immutable strict parallel safe as $$
    begin
      return array(select jsonb_array_elements_text(${sql.lit(finding)}::jsonb -> word));
    end $$;
    comment on function words_meaning is 'the words that stand for a folded word in a search, itself included';

    create function words_with_synonyms() returns text[] language sql immutable parallel safe as $$
      select array(select jsonb_object_keys(${sql.lit(found)}::jsonb))
    $$;

    -- A text has "lhotel" for "l'hôtel": it is folded.
    create function synonyms_of(word text) returns text[] language sql immutable strict parallel safe as $$
      select array(
        select distinct other
        from unnest(array[word, regexp_replace(word, '^[ld]([aeiouh].{3})', '\\1')]) as whole,
          unnest(word_forms(whole) || whole) as form, unnest(word_synonyms(form)) as other
        where other <> word order by other)
    $$;

    create function word_regex(word text, others text[]) returns text language sql immutable strict parallel safe as $$
      select regexp_replace(word collate "C", '([][(){}.*+?^$|\\\\])', '\\\\\\1', 'g') || case when others = '{}' then '' else
        -- A class that PostgreSQL's index of trigrams can read: it has few characters.
        '|(?:^|' || mark || ')(?:' || array_to_string(array(
          select distinct case when other ~ '^[aeiouh].{3}' then '[ld]?' else '' end || other as whole from unnest(others) as other
          order by whole), '|')
          || ')(?:e?s|x)?(?:$|' || mark || ')' end
      from (values ('[ \\t\\n\\r!-/:-@[-\`{-~«»“”„•]')) as marks (mark)
    $$;
    comment on function word_regex is
      'finds texts that have a folded word in them, or one of the others as a whole word, in both numbers';

    create function word_regexes(words text[]) returns text[] language sql immutable strict parallel safe as $$
      select array(
        select word_regex(word, word_forms(word) || synonyms_of(word))
        from unnest(words) with ordinality as typed (word, place) order by place)
    $$;
    comment on function word_regexes is 'what a text must match so that a search for these words finds it';

    create function want_pieces(given text) returns text[] language sql immutable strict parallel safe as $$
      with one as materialized (
        select distinct one
        from regexp_split_to_table(given collate "C", '[^a-z0-9]+') as word,
          unnest(array[word, regexp_replace(word, '^[ld]([aeiouh].{3})', '\\1')]) as whole,
          unnest(array[whole, regexp_replace(whole, '[sx]$', ''), regexp_replace(whole, 'es$', '')]) as one
        where one <> ''
      ), meant as materialized (
        select distinct meant from one, unnest(words_meaning(one) || one) as meant
      ), plain as materialized (
        select distinct plain
        from meant, unnest(array[meant, meant || 's', meant || 'x', meant || 'es'] || word_forms(meant)) as plain
      )
      select array(
        select distinct want_piece(typed)
        from plain, unnest(array[plain] || case when plain ~ '^[aeiouh].{3}' then array['l' || plain, 'd' || plain] end)
          as typed)
    $$;
    comment on function want_pieces is
      'the beginnings of words that find a text without being in it, as want_piece makes them'`.execute(db);

  await sql`
    alter table wants add column search_regexes text[]
      generated always as (word_regexes(typed_words(search))) stored;
    comment on column wants.search_regexes is 'a coupon matches them all';
    comment on column wants.search_patterns is 'not used any more'`.execute(db);
}

/** For each word what it finds, and what finds it; as JSON. */
function bothWays(groups: string): { found: string; finding: string } {
  const [found, finding] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const note = (map: Map<string, Set<string>>, word: string, others: readonly string[]) =>
    map.set(word, new Set([...(map.get(word) ?? []), ...others]));
  for (const group of groups.trim().split('\n')) {
    const words = group.trim().split(' ');
    const all = words.map((word) => word.replace('*', ''));
    const lookedFor = words.filter((word) => !word.endsWith('*'));
    for (const word of all) note(found, word, lookedFor);
    for (const word of lookedFor) note(finding, word, all);
  }
  const json = (map: Map<string, Set<string>>) =>
    JSON.stringify(Object.fromEntries([...map].map(([word, others]) => [word, [...others]])));
  return { found: json(found), finding: json(finding) };
}

/**
 * Words that mean the same on a coupon, in the form of `fold_text`, in the singular unless that is another word. A word
 * with a star finds its group, but is not looked for: in the other language it means something else, as "car" and "vol"
 * do, or it is too short for the index. Words that would mislead either way are left out: "pain", "coin", "chat", "four",
 * "robe", "lit", "raisin", "pomme" (Apple), "bon", "the".
 */
const GROUPS = `
  vetement clothes clothing apparel
  fashion mode*
  chaussure soulier shoe footwear
  sneaker espadrille
  botte bottine boot
  sandale sandal
  pantoufle slipper
  chandail sweater pullover hoodie
  chemise shirt
  pantalon pants trouser
  jupe skirt
  manteau coat jacket blouson
  chapeau hat
  tuque beanie
  gant glove mitaine mitten
  foulard scarf scarves echarpe
  chaussette sock
  ceinture belt
  sac bag
  portefeuille wallet
  lunette glasses eyeglasses sunglasses
  lingerie underwear sousvetement
  maillot swimsuit swimwear
  pyjama pajama
  bijou jewelry jewellery jewel bijouterie joaillerie
  collier necklace
  bague ring
  montre watches watch*
  parfum perfume fragrance
  maquillage makeup cosmetic cosmetique
  beaute beauty
  skincare soin
  shampooing shampoo
  coiffure haircut coiffeur coiffeuse hairdresser hairstylist
  barbier barber
  cheveu hair
  ongle nail
  manucure manicure
  massage massotherapie
  rasoir razor shaver
  savon soap
  electronique electronic
  ordinateur computer
  laptop portable*
  telephone phone cellulaire smartphone
  tablette tablet
  televiseur television tv* tele*
  ecouteur headphone earphone earbud
  casque helmet
  hautparleur speaker
  imprimante printer
  clavier keyboard
  logiciel software
  batterie battery
  chargeur charger
  meuble furniture ameublement
  matelas mattress
  chaise chair
  divan sofa couch canape
  lampe lamp
  tapis rug carpet
  rideau curtain
  oreiller pillow
  couverture blanket
  serviette towel
  literie bedding
  decoration decor
  vaisselle dinnerware
  couteau knife knives
  kitchen cuisine*
  electromenager appliance
  refrigerateur refrigerator fridge frigo
  aspirateur vacuum
  microonde microwave
  outil tool
  quincaillerie hardware
  peinture paint
  jardin garden jardinage gardening
  plante plant
  fleur flower fleuriste florist
  gazon lawn pelouse
  jouet toy
  bebe baby babies
  couche diaper
  poussette stroller
  enfant kid child children
  peluche plush
  animal animaux pet
  chien dog
  veterinaire veterinarian vet
  livre books book*
  librairie bookstore bookshop
  papeterie stationery
  velo bike bicycle bicyclette cycling cyclisme
  patin skate
  tente tent
  randonnee hiking hike
  peche fishing
  bateau boat
  escalade climbing
  piscine pool
  natation swimming
  entrainement workout
  abonnement subscription membership
  restaurant resto
  repas meal
  dejeuner breakfast
  souper supper dinner
  emporter takeout takeaway
  livraison delivery shipping
  epicerie grocery groceries supermarket supermarche
  boulangerie bakery bakeries
  patisserie pastry pastries
  gateau cake
  biscuit cookie
  tarte pie
  beigne donut doughnut
  chocolat chocolate
  bonbon candy candies
  ice glace glacee
  creme cream
  cafe coffee
  vin wine
  biere beer
  jus juice
  lait milk
  water eau*
  boisson drink beverage
  fromage cheese
  viande meat
  poulet chicken
  boeuf beef
  porc pork
  poisson fish
  crevette shrimp
  homard lobster
  saucisse sausage
  jambon ham
  oeuf egg
  legume vegetable
  fraise strawberry strawberries
  bleuet blueberry blueberries
  salade salad
  soupe soup
  frite fries
  hamburger burger
  nouille noodle
  riz rice
  sucre sugar
  erable maple
  miel honey
  epice spice
  collation snack
  billet ticket
  spectacle show
  film movie
  theatre theater
  musee museum
  musique music
  exposition exhibition exhibit
  comedy comedie humour
  quille bowling
  jeu game
  parc park
  danse dance
  cirque circus
  voyage travel trip
  flight vol*
  avion plane airplane airline aerien aerienne
  auberge hostel inn
  hebergement lodging accommodation
  vacance vacation holiday
  croisiere cruise
  traversier ferry ferries
  autobus autocar bus
  valise suitcase luggage bagage baggage
  sejour stay getaway escapade
  plage beach
  montagne mountain
  forfait package
  nuitee nuit night
  rental louer location*
  aeroport airport
  stationnement parking
  gasoline fuel essence* gas*
  nettoyage cleaning
  menage housekeeping
  buanderie laundry
  reparation repair
  mecanicien mechanic
  pneu tires tire*
  voiture automobile auto vehicle vehicule car*
  laveauto carwash
  assurance insurance
  demenagement moving mover
  photographe photographer
  printing impression*
  cours lesson
  training formation*
  ecole school
  tutorat tutoring
  dentiste dentist
  sante health
  pharmacie pharmacy pharmacies drugstore
  vitamine vitamin
  medicament medicine medication
  banque bank
  plombier plumber
  electricien electrician
  rabais discount reduction solde promotion promo remise ristourne escompte aubaine deal savings sale*
  gratuit gratuite free
  carte card giftcard cartecadeau cartescadeau
  cadeau gift giftcard cartecadeau cartescadeau
  pourcent percent
  achat purchase
  moitie half
  essai trial
  etudiant student
  famille family families familial familiale
  membre member
  femme women woman
  homme men man
  fille girl
  garcon boy
  noel christmas xmas
  paques easter
  anniversaire birthday anniversary
  mariage wedding
  hiver winter
  ete summer lete dete
  printemps spring
  automne autumn fall*
  magasin boutique shop store*
  online ligne`;
