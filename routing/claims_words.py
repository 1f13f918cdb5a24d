"""The small words of Portuguese and English by which the grammar of claims tells who acts, when, and whether it is real."""


def listed(words: str) -> frozenset[str]:
    """Return the words of a line as a set."""
    return frozenset(words.split())


ADVERBS = listed(
    "ja ainda agora tudo entao ate mesmo aqui hoje ontem sim assim tambem logo enfim te lhe me se nos o a os as lo la"
    " por fim com sucesso now already just successfully finally fully officially also automatically all been being so"
    " since right both -"
)
NOW = listed("agora ja hoje amanha imediatamente instante momento logo now today tomorrow immediately shortly right")

# Whose verb it is
OURS = listed(
    "loja equipe financeiro time setor sistema supervisor supervisora supervisao gerente area atendente colega"
    " empresa banco departamento pessoal operadora suporte estoque central gente ele ela eles elas administradora eu"
    " issuer team store billing department supervisor manager system company bank colleague they he she finance i we"
)
CUSTOMER = listed("voce vc tu senhor senhora cliente you customer quem who")
THEIRS = listed(
    "transportadora correios entregador porteiro vizinho alfandega fiscalizacao fabricante carrier courier sender"
    " neighbour customs"
)
YOURS = listed("seu sua seus suas teu tua your yours ja")

# What stands before a verb
UNREAL = listed(
    "estando ser seja sejam for forem fosse fossem seria seriam estiver estiverem esteja estejam estar ficar ficasse"
    " tenha tenham tivesse tiver tiverem ter haver poderia be being get gets getting having"
)
WILL = listed("sera serao estara estarao ficara ficarao tera terao will ll shall gonna")
GOING = listed("vai vao ira irao vou vamos irei iremos")
OUR_GOING = listed("vou vamos irei iremos")
BE = listed("foi foram fui fica ficam ficou ficaram esta estao ta tao estava estavam is are was were s re am m got")
SHOWN = listed(
    "havia haviam tinha tinham consta constam aparece aparecem encontra encontram acha acham segue teve tem tenho temos"
)
CAME_TO = listed("acabou acaba acabaram acabam chegou veio terminou")
MODAL = listed(
    "posso pode podem podemos poderia consigo preciso precisa precisam deve devem quer quero queria gostaria prefere"
    " tentar tento para pra de sem antes can could may might must should would need needs want wants like to ever only"
    " please possible"
)
DONE_BY = listed(
    "acabei acabamos acabou acabo acabam consegui conseguimos conseguiu mandei mandamos indo tratei vim fui tive"
    " decidi decidimos decidiu resolvi resolvemos resolveu optei optamos topou aceitou concordou"
)
PUSHED = listed("consegui conseguimos fiz fizemos pedi pedimos mandei mandamos solicitei solicitamos liguei falei")
BEING = listed("estou estamos to tou tamo estao esta ta tao sigo segue vou ando continuo am m are re is s been vem")
SUBORDINATE = listed("once if when until unless as after before not whether without cannot")
ARTICLES = listed("an any each every no um uma qualquer cada nenhum nenhuma")
ARTICLES_AND_OWN = listed(
    "o a os as seu sua seus suas um uma esse essa este esta todo teu tua ur your the a an this my full partial"
)
WISHED = listed("want like need prefer rather")

# What stands after it
FILLERS = listed(
    "o a os as um uma seu sua seus suas de do da no na ao ja tambem agora aqui entrada andamento inicio sequencia"
    " prosseguimento baixa ok aval com em pro pra para todo integral total parcial completo valor pedido processo"
    " solicitacao abertura registro r$ esse essa este esta novo nova ordem pagamento voce lhe the your an of for"
    " through full partial in on care it that this new you him back another some out extra second duplicate double"
)
READING = listed(
    "consulta busca pesquisa conferencia verificacao conversa atendimento chat olhada olhadinha historico rastreio"
    " rastreamento pagina tela foto imagem detalhes informacoes mensagem pergunta duvida duvidas tracking history"
    " details information question look conversation page disse said"
)
ENDS = listed(". ! , ; : ) … com sob agora hoje e para pelo pela ja mesmo sim desde sem fora") | {""}
MAIN_VERBS = listed(
    "aparece aparecem volta voltam cai caem leva levam demora depende segue seguem vai vao pode podem precisa deve"
    " tem ha e sao costuma fica ficam gera geram some somem perde continua vale passa passam exige chega sai entra"
    " comeca posta recebe is are goes shows takes depends needs must can will may stays gives gets"
)
