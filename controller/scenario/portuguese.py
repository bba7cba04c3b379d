"""The Portuguese words of scenarios, each with the English word that it stands for.

A word that is not listed here (a guard, a clause, most notices, a fault of the wheel) is the same in both languages. If
an English word has two Portuguese words, messages use the first. A word that ends in a hyphen is used only before a
number.
"""

from typing import Final

_PARTS: Final = """
    cenário scenario; regras rules; cláusulas clauses; perfil profile; prémio prize; definir set;
    dado given; quando when; então then
"""
_PEOPLE: Final = """
    pagador dealer; segundo-pagador second-dealer; fiscal-chefe chief; segundo-fiscal-chefe second-chief;
    chefia-da-sala manager; técnico technician; fiscal-de-banca inspector; serviço-de-inspeção regulator;
    fiscal_chefe chief_supervisor; fiscal_de_banca table_inspector; chefia_da_sala room_manager
"""
_STEPS: Final = """
    misturado mixed; carregamento loading; pacote packet; carregado loaded; em-jogo in-play; corte cut; cheio filled;
    queimar burn; novo-sabot new-shoe; apostas bets; distribuir deal; tirar draw; pedir hit; banca-pede hit-bank;
    mostrar show; pagar settle; recolher collect; introduzir put-back; jogada round; extração unloading;
    extrair unload; extraído unloaded; encerrar close; grelha grid; grelha-sem grid-lacks; grelha-a-mais grid-has;
    grelha-com grid-with; terminar-paragem end-hold; terminar-encravamento end-jam; entrada feed; carta-entra card-in;
    carta-sai card-out; conta-saída count-out; lê read; tirar-sem-ler draw-unread; carta-aviso warning-card;
    encravamento jam; caminho-livre path-clear; caminho-tapado path-blocked; cartas-na-entrada hopper-loaded;
    entrada-vazia hopper-empty; continua-encravado keeps-jammed; não-se-conta keeps-its-count;
    tampa-aberta lid-open; tampa-fechada lid-closed; perdido lost; voltou back; reserva spare; recomeço restart;
    não-cumpre undone; comunica tells;
    recomeço-sem-aparelhos restart-alone; diário-falha journal-fails; diário-escreve journal-writes; esperar wait;
    falta missing; a-mais extra; desaparece vanish; intrusa slip-in; aposta bet; aposta-paralela side-bet;
    segurar insure; pagamento-igual even-money; desistir surrender; parar stand; separar split; dobrar double;
    cinco-cartas five-cards; jogadores-acabam players-done; banca-joga bank-plays
"""
_FACTS: Final = """
    recusado refused; permitido allowed; pode may; não-pode may-not; partida session; jogada-está round-is;
    jogadas rounds; reclamações complaints; anuladas voided; dito told; não-dito not-told; presente present;
    ausente absent; paragem hold; sem-paragem no-hold; dever duty; sem-dever no-duty; encerramento closing;
    relatório report; parâmetro parameter; configuração-recusada configuration-refused;
    configuração-aceite configuration-accepted; deve-se owed; fora outside; dentro inside; descarte rack; mesa table;
    queimadas burnt; pendentes pending; encravadas jammed; na-mão in-hand; retiradas withdrawn; estranhas foreign;
    total total; pacotes packets; carregamentos loads; carregamentos-falhados failed-loads; cartas-queimadas burned;
    tiradas drawn; encravamentos jams; correções corrections; à-parte set-aside; decisão ruling; cartas cards;
    pontos points; banca bank; corte-oferecido cut-offered; carta-aviso-esperada warning-expected;
    carta-aviso-medida warning-measured; carta-aviso-desvio warning-deviation; sabot-acabado shoe-over; boca mouth;
    lâmpada lamp; vez turn; mãos hands; aposta-em bet-on; decide decides; saldo net; saldo-do-apostador bettor-net;
    casa house; casa-total house-total; paga-se pays; assinalado flagged; não-assinalado not-flagged
"""
_THINGS: Final = """
    ligada on; acesa on; destrancada on; desligada off; apagada off; trancada off; sim yes; não no; nada nothing;
    lugar seat; lugares seats; carta-da-banca hole; voltada-para-baixo hidden; não-lida unread; carrossel carousel;
    baralhador shuffler; sabot shoe;
    encerrada closed; aberta opened; exibido displayed; reunido gathered; retirada taking-out; conferência checking;
    sem-jogada idle; apostas-abertas betting; distribuição dealing; em-curso playing; paga settled; recolhida collected;
    introdução putting-back;
    tampa lid; contagem count; quantidade count; carta-inesperada unexpected-card; carta-não-lida unread-card;
    carta-danificada damaged-card; aparelho-perdido device-lost; reclamação complaint;
    fiscal-chefe-ausente supervisor-absent; jackpot-por-pagar jackpot-owed; jackpot-em-dúvida jackpot-doubted;
    jackpot-comum-ganho linked-hit;
    falha-do-diário journal-fault; golpe-irregular irregular-spin;
    fichas-desmarcadas moved-chips; começada raised; atendida attended; resolvida cleared; terminada ended;
    comunicar-encerramento-irregular report-irregular-closing;
    comunicar-reclamação-por-decidir report-undecided-complaint; esclarecer-pin look-into-wrong-pins;
    esclarecer-visor look-into-display; esclarecer-selos look-into-seals;
    esclarecer-mostrador look-into-markers;
    nenhum none; regular regular; irregular irregular; final final; provisório provisional;
    continuar continue; anular-jogada round-void; aparelho-de-reserva spare-device;
    aparelho-de-reserva-com-cartas-novas spare-device-cards-replaced; carta-descartada card-discarded;
    carta-para-o-seguinte card-to-next; vez-devolvida turn-given-back;
    avaria device-malfunction; distribuição-sem-remédio deal-beyond-repair; contestação dispute;
    sem-mudança unchanged; acabada finished;
    começou-paragem hold-raised; terminou-paragem hold-ended; decisão-tomada ruling-made; surgiu-dever duty-opened;
    tipo kind; função role
"""
_VALUES: Final = """
    operação operation; conjunto deck_set; contadas counted; baralho deck; passagens passes; atrás behind; mão hand;
    posição position; carta card; vista seen; origem source; destino target; na_mão in_hand; referência reference;
    procedente upheld; ficou became; substituta replacement; contagens counts; dorso back; causa cause;
    resultado outcome; montante amount; apostador bettor; consentimento consent; outros others; aceite accepted;
    palavras words; hora hour; minuto minute; segundo second;
    incidente incident; guardada_em kept_at
"""
_ACTS: Final = """
    entrar sign-in; sair sign-out; abrir-partida open-session; numerar-conjunto number-deck-set;
    confirmar-exibição confirm-display; confirmar-mistura confirm-mixing; confirmar-contagem confirm-count;
    baralhar shuffle-deck; indicar-jogadores state-players; recusar-corte refuse-cut; confirmar-corte confirm-cut;
    colocar-carta-aviso place-warning-card; encher-sabot fill-shoe; confirmar-carta-dada confirm-card-dealt;
    comunicar-carta-aviso report-warning-card; anunciar-última-jogada announce-last-round;
    retirar-cartas gather-cards; estender-cartas spread-cards; começar-carregamento begin-loading;
    abrir-pacote open-packet; fechar-pacote close-packet; completar-carregamento complete-loading;
    retirar-carregamento take-out-loading; confirmar-retirada confirm-taken-out; desistir-da-abertura abandon-opening;
    aceitar-apostas take-bets; cancelar-apostas cancel-bets; anunciar-nada-mais announce-no-more-bets;
    pedir-carta draw-card; voltar-carta-da-banca turn-hole-card; voltar-carta turn-card; indicar-carta state-card;
    confirmar-pagamentos confirm-settled; recolher-mão collect-hand; recolher-cartas collect-cards;
    começar-introdução begin-putting-back; terminar-introdução end-putting-back; deixar-no-descarte leave-in-rack;
    registar-aposta place-bet; devolver-aposta withdraw-bet; registar-aposta-paralela place-side-bet;
    alterar-aposta change-bet; devolver-aposta-paralela withdraw-side-bet; anular-corte take-back-cut;
    retirar-aposta-paralela take-side-bet-down; aceitar-pagamento-igual take-even-money; separar-par split-pair;
    dobrar-aposta double-down; reclamar-cinco-cartas claim-five-cards; decidir-montante decide-amount;
    concordar-com-correções agree-corrections; comunicar-carta-por-engano report-misdealt; passar-carta move-card;
    comunicar-carta-da-banca-vista report-hole-exposed; comunicar-carta-a-mais report-extra-card;
    comunicar-carta-voltada report-face-up-card; desmentir-carta retract-card; corrigir-carta rename-card;
    pedir-contagem call-for-count; pedir-decisão call-for-ruling; decidir make-ruling; atender-paragem attend-hold;
    chamar-técnico call-technician; atestar-reparação attest-repair; resolver-paragem clear-hold;
    confirmar-paragem confirm-hold; declarar-cartas-movidas state-cards-moved; declarar-contagem state-count;
    declarar-contagem-total state-whole-count; declarar-interrupção state-outage;
    confirmar-interrupção confirm-outage; nomear-carta name-card; comunicar-carta-danificada report-damaged-card;
    substituir-carta replace-card; registar-autorização record-authorisation; substituir-baralho replace-deck;
    registar-reclamação record-complaint; decidir-reclamação decide-complaint; cumprir-dever report-duty;
    comparar-relógio compare-clock; guardar-gravação keep-recording;
    entregar-turno hand-over-shift; assumir-turno take-over-shift;
    indicar-encerramento indicate-closing; retirar-encerramento take-back-closing;
    começar-extração begin-unloading; completar-extração complete-unloading;
    registar-cartas enter-cards; registar-grelha enter-grid; confirmar-conferência confirm-deck-check;
    propor-encerramento-irregular propose-irregular-closing; confirmar-encerramento-irregular confirm-irregular-closing
"""
_JACKPOT: Final = """
    ficha chip; nada-mais no-more-bets; pagar-prémio pay; reposto restored; painel-parado sign-hangs;
    painel-diz sign-says; painel-acompanha sign-follows; painel-ilegível sign-unreadable; reconfigurado reconfigured;
    ficha-na-ranhura slot-chip; ranhura-vazia slot-empty; ranhura-falha slot-fails; ranhura-funciona slot-works;
    acesas lit; a-piscar blinking; nas-ranhuras in-slots; escolher-marcação choose-jackpot-marking;
    marcação marking; manual manual; pelas-ranhuras automatic;
    há-no-jackpot pool; nível level; contador meter; vezes-do-jackpot jackpot-times; fichas chips; contam counting;
    ganhou won; prémio-devido prize-due; sem-prémio-devido no-prize-due; aposta-do-jackpot jackpot-bet; painel sign;
    painel-avaria sign-fault; fundo-de-reserva reserve; excedente overflow; arranques seeds;
    contribuições contributions; transferências transfers; pagos paid; à-mão by-hand; prémios-ganhos hits;
    recomeços resets; mesmo-naipe suited; mesma-cor coloured; iguais same; resto rest;
    apostar-no-jackpot place-jackpot-bet; devolver-ficha withdraw-jackpot-bet; recolher-jackpot collect-jackpot-bets;
    subir-jackpot raise-jackpot; pagar-jackpot pay-jackpot; pagar-jackpot-à-mão pay-jackpot-by-hand;
    declarar-cartas-por-ver state-unseen-cards;
    pagar-jackpot-comum pay-linked-prize; libertar-prémio-comum release-linked-hit;
    sala-diz floor-says; sala-decide floor-decides; dito-à-sala linked-told;
    aprovar-jackpot approve-jackpot; reforçar-jackpot lay-into-jackpot; declarar-jackpot state-jackpot;
    declarar-painel state-sign; exportar-jackpot export-jackpot; assumir-jackpot take-over-jackpot;
    retomar-jackpot take-back-jackpot; mostrar-exportação show-export; mostrar-recibo show-receipt;
    computador computer; exportação export; código code; recibo receipt
"""
_MONEY: Final = """
    ganho win; banca-passou bank-bust; empate tie; ambos-blackjack both-blackjack; perda loss; passou bust;
    blackjack-da-banca bank-blackjack; blackjack-da-banca-dobrada bank-blackjack-doubled; desistência surrendered;
    seguro-ganho insurance-won; seguro-perdido insurance-lost; prémio-especial special-prize; qualquer-par any-pair;
    setes sevens; setes-do-naipe sevens-suited; três-setes three-sevens; três-setes-do-naipe three-sevens-suited;
    acima-ou-abaixo over-under; aposta-paralela-perdida side-bet-lost; acima over; abaixo under
"""
_SETTINGS: Final = """
    baralhos decks; aposta_mínima minimum_bet; aposta_máxima maximum_bet; ficha_mínima smallest_chip;
    acompanha tracks; golpes spins; leitor reader; roleta wheel; visor_de_valores value_display;
    visor_do_jackpot jackpot_display; ranhuras_do_jackpot jackpot_slots; automático automatic;
    jackpot_aposta jackpot_bet; valores_afixados chip_values;
    jackpot_percentagem jackpot_rate; jackpot_arranque jackpot_start; jackpot_recomeço jackpot_reset;
    jackpot_limite jackpot_limit; jackpot_aprovado jackpot_approved;
    jackpot_comum linked; jackpot_comum_ausência linked_away_after; jackpot_comum_fichas linked_bets_when_away;
    jackpot_comum_visor linked_sign; próprio own; comum linked; voltam go-back; jogam play-on
"""
_WHEEL: Final = """
    cor colour; aposta-com-valor value-bet; aposta-marcada marked-bet; lançar launch; jogo-feito nothing-more;
    número number; golpe spin; lançada launched; bola-abranda slows; bola-para rests; golpes-por-ver unseen;
    número-mudado changed; golpe-demorado overdue; roleta-perdida wheel-lost; roleta-voltou wheel-back;
    visor-parado display-hangs; visor-mostra display-shows; visor-perdido display-lost; visor-voltou display-back;
    saiu result; cor-que-saiu result-colour; último-número last-number; bola ball; prémios-de prizes-of;
    ordem-dos-prémios pay-order; está-em lies; tem-cor has-colour; cor-perdida colour-lost; sem-cor no-colour;
    trocado exchanged; mostra shows; bola-a-rodar spinning; golpe-nulo null-spin; pagamentos paying;
    encarnado red; vermelho red; azul blue; verde green; amarelo yellow; laranja orange; roxo purple;
    cor-de-rosa pink; castanho brown; branco white; preto black; cinzento grey; turquesa turquoise; zero neither;
    pleno straight; cavalo- split-; rua street; quadro corner; linha line; dúzia dozen; coluna column;
    cavalo-de-dúzias dozen-split; cavalo-de-colunas column-split; par even; ímpar odd; menor low; maior high;
    grande-série large-series; pequena-série small-series; órfãos orphans; vizinhos neighbours;
    colunas columns; chances-simples simple; dúzias dozens; séries series; linhas lines; ruas streets;
    quadros corners; cavalos splits; plenos straights; horário clockwise; anti-horário anticlockwise;
    jogador player; jogadores players; valor value; marcadas marked; grupo group; diâmetro_mm diameter_mm; por by;
    número-vale number-stands; nulo null; prossegue goes-on; registadas recorded; profissionais staff;
    dar-cor give-colour; confirmar-valor confirm-value; indicar-espera state-waiting;
    indicar-sem-aposta state-without-bet; trocar-fichas exchange-chips; retirar-cor take-colour-back;
    trocar-fichas-tardias exchange-late-chips; apostar-fichas place-chips; apostar-com-valor place-value-chips;
    retirar-aposta remove-bet; lançar-bola launch-ball; anunciar-jogo-feito announce-nothing-more;
    declarar-golpe-nulo declare-null-spin; recolocar-bola put-ball-back; anunciar-número announce-number;
    pagar-prémios pay-prizes; confirmar-golpe-pago confirm-payments; mudar-bola change-ball;
    substituir-bola replace-ball; decidir-golpe rule-on-spin;
    corrigir-registo correct-entry; corrigir-registo-do-golpe correct-spin-entry;
    acrescentar-registo add-entry; acrescentar-registo-ao-golpe add-spin-entry;
    confirmar-diferenças confirm-differences;
    registo entry; em-vez instead; também also; antes-de before; acrescenta adds;
    contestar-golpe contest-spin; confirmar-devolução confirm-return; comunicar-fichas-mexidas report-moved-chips;
    refazer-marcações rebuild-markings; indicar-aposta state-bet; inseguro unsafe;
    registar-reclamação-do-golpe record-claim; decidir-reclamação-do-golpe decide-claim; encerrar-partida end-session
"""
_KINDS: Final = """
    NÚMERO NUMBER; SEGUNDOS SECONDS; LUGAR SEAT; CARTA CARD; MUDANÇA CHANGE; FACE FACE; SÍTIO PLACE; APARELHO DEVICE;
    PARTIDA SESSION; JOGADA ROUND; PARAGEM HOLD; FASE PHASE; DEVER DUTY; ENCERRAMENTO CLOSING; ESTADO ON-OFF;
    RELATÓRIO REPORT; DEVIDO OWED; REGRA RULE; CLÁUSULA CLAUSE; REGRA-OU-CLÁUSULA RULE-OR-CLAUSE; GUARDA GUARD;
    ATO ACT; PARÂMETRO PARAMETER; VALOR VALUE; NOME NAME; PORMENOR DETAIL; DESVIO DEVIATION; DESTINATÁRIO RECEIVER;
    DORSO BACK; AVISO NOTICE; DECISÃO OUTCOME; PESSOA PERSON; MÃO HAND; VEZ TURN; MONTANTE AMOUNT; COM-SINAL SIGNED;
    PARALELA SIDE-BET; MOTIVO PAYMENT; COMBINAÇÃO COMBINATION; PAGA PAYS; NÍVEL LEVEL; CONTADOR METER; VEZES COUNTER;
    PERCENTAGEM PER-CENT; CASA-DA-ROLETA WHEEL-NUMBER; SAÍDA RESULT; APOSTA BET; COR-DAS-FICHAS CHIP-COLOUR;
    COR COLOUR; GRUPO GROUP; FALHA TROUBLE; SENTIDO WAY; FACTO FACT
"""

GROUPS: Final = (
    *(_PARTS, _PEOPLE, _STEPS, _FACTS, _THINGS, _VALUES, _ACTS),
    *(_JACKPOT, _MONEY, _SETTINGS, _WHEEL, _KINDS),
)
PAIRS: Final = tuple(tuple(pair.split()) for group in GROUPS for pair in group.split(";"))
"""Pairs of a Portuguese word and its English word."""
